// A client that openapi-typescript makes of /openapi.json, against a server.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api";

const token = process.env.GLOVEBOX_TOKEN ?? "";
const client = createClient<paths>({ baseUrl: process.env.GLOVEBOX_URL, headers: { Authorization: `Bearer ${token}` } });

async function main(): Promise<void> {
  const task: components["schemas"]["Task"] = {
    kind: "orchestrator",
    code: "x * 2",
    orchestrator: { dialect: "strict" },
    signature: { inputs: [{ name: "x", type: "int" }], outputs: [{ name: "result", type: "int" }] },
  };
  const made = await client.POST("/v1/runs", { body: { task, inputs: { x: 21 } } });
  assert(made.data, made.error?.detail);
  const id: string = made.data.id;

  const result = await client.GET("/v1/runs/{id}/result", { params: { path: { id }, query: { wait: "30s" } } });
  assert(result.data, result.error?.detail);
  const status: "queued" | "running" | "interrupted" | "succeeded" | "failed" | "canceled" = result.data.run.status;
  assert.equal(status, "succeeded");
  assert.deepEqual(result.data.outputs, [{ name: "result", type: "int", value: 42 }]);

  const events = await client.GET("/v1/runs/{id}/events", { params: { path: { id } }, parseAs: "text" });
  assert.match(String(events.data), /event: ended\n/);

  const stored = await client.POST("/v1/blobs", {
    body: "hello world",
    bodySerializer: (body) => body as string,
    headers: { "Content-Type": "application/octet-stream" },
  });
  assert(stored.data, stored.error?.detail);
  const part = await client.GET("/v1/blobs/{digest}", {
    params: { path: { digest: stored.data.digest }, header: { Range: "bytes=6-" } },
    parseAs: "text",
  });
  assert.equal(part.response.status, 206);
  assert.equal(part.data, "world");

  const refused = await client.POST("/v1/runs", { body: { task: { kind: "orchestrator", code: "(" } } });
  const code: components["schemas"]["Failure"]["code"] | undefined = refused.error?.code;
  assert.equal(refused.response.status, 422, code);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
