# Defines what the host calls around each execution. An interactive shell returns
# here when it is interrupted, and so do exit and a failure under set -e, in
# place of ending the shell with all that it knows.
PS1= PS2= PROMPT_COMMAND=
set +o history +o histexpand -o errtrace
exec {__glovebox_stdout}>&1 {__glovebox_stderr}>&2 # the code may lead its own elsewhere

__glovebox_mark() {
  printf '\036%s %s\036' "$1" "$2" >&"$__glovebox_stdout"
  printf '\036%s %s\036' "$1" "$2" >&"$__glovebox_stderr"
}

__glovebox_begin() {
  __glovebox_status= __glovebox_left=
  __glovebox_reseed
  trap - INT
  __glovebox_mark "$1" begin
}

__glovebox_end() {
  local status=$?
  trap '' INT # until the next one begins
  if [[ $1 == "${__glovebox_ended-}" ]]; then
    return
  fi
  __glovebox_ended=$1
  if [[ -n $__glovebox_status ]]; then
    __glovebox_mark "$1" "$__glovebox_status"
  else
    __glovebox_mark "$1" "${__glovebox_left:-$status} unwound"
  fi
}

# The file changes when the session is forked.
__glovebox_reseed() {
  local now= time=${EPOCHREALTIME:-$SECONDS}
  if [[ -r GENERATION ]]; then
    read -r now <GENERATION || :
  fi
  if [[ $now != "${__glovebox_generation-$now}" ]]; then
    RANDOM=$((${SRANDOM:-0} ^ ${time//[!0-9]/}))
  fi
  __glovebox_generation=$now
}

__glovebox_leave() {
  __glovebox_left=$1
  kill -INT $$
}

exit() {
  local status=${1:-$?}
  if [[ $BASHPID != $$ ]]; then
    builtin exit "$status"
  fi
  __glovebox_leave "$status"
}

trap '__glovebox_leave_if "$?" "$-"' ERR
__glovebox_leave_if() {
  if [[ $2 == *e* && $BASHPID == $$ ]]; then
    __glovebox_leave "$1"
  fi
}

__glovebox_reseed
trap '' INT
