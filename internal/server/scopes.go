package server

import (
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// scopes has the scope that each operation needs, but for those that are open or signed.
// What is not isolated by owner is for admins.
var scopes = scopesOf(map[api.Scope]string{
	api.ScopeRead: `getDocument getVersion
		listRuns getRun getRunTask getInputs getOutputs getOutput getResult followEvents followLogs explainCache
		listTasks getTask listVersions listEnvironments getEnvironment
		listApprovals getApproval getBlob listSessions getSession followSession getUsage listSessionConnections listDeeds`,
	api.ScopeRun: `submitRun cancelRun resumeRun rerunRun checkTask promptTask evaluate putBlob
		newSession changeSession killSession pauseSession resumeSession forkSession
		startProcess followProcess listProcesses writeInput closeInput signalProcess resizeTerminal
		newContext listContexts runCode interruptContext restartContext removeContext
		statFile listFiles makeDirectory moveFile removeFile readFile writeFile watchFiles downloadTree uploadTree getSessionUser
		connectPort openPort closePort buildImage`,
	api.ScopeApprove: `decideApproval sendSignal resolveRun`,
	api.ScopeDeploy:  `deploy rollback removeTask`,
	api.ScopeAdmin: `listSchedules getSchedule pauseSchedule resumeSchedule runSchedule removeSchedule
		listHooks getHook pauseHook resumeHook removeHook listNotifications redeliverNotification
		listSecrets setSecret removeSecret clearCache
		listImages getImage removeImage pushImage newSnapshot listSnapshots getSnapshot removeSnapshot snapshotImage
		listWorkers connectWorker connectMonty sendMCP followMCP endMCP listMCPTools keepWarm listWarmPools
		listNodes drainNode prune getRetention diagnose listCells getMetrics newPageCode
		listOwners setOwner removeOwner listTokens newToken removeToken`,
})

func scopesOf(operations map[api.Scope]string) map[string]api.Scope {
	byOperation := map[string]api.Scope{}
	for scope, ids := range operations {
		for _, id := range strings.Fields(ids) {
			byOperation[id] = scope
		}
	}
	return byOperation
}
