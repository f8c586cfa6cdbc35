#!/bin/sh
## A plugin for addresses: takes one from `host-local` beside it, and gives it out when the enforcer of NetworkPolicy says
## that its rules are in force. So no pod has an address before that. Without an answer the pod is not started, and kubelet
## tries again.
set -eu
own=$(dirname "$0")
[ "$CNI_COMMAND" = ADD ] || exec "$own/host-local"
result=$("$own/host-local")
address=$(printf '%s' "$result" | tr -d '\n' | sed 's|.*"address": *"\([0-9.]*\)/.*|\1|')
uid=$(printf '%s' "$CNI_ARGS" | sed 's|.*K8S_POD_UID=\([^;]*\).*|\1|')
# Written beside and moved, so that nobody reads half of it.
printf '%s' "$uid" > "@FOLDER@/$address.new"
mv "@FOLDER@/$address.new" "@FOLDER@/asked/$address"
tries=0
until [ "$(cat "@FOLDER@/governed/$address" 2>/dev/null)" = "$uid" ]; do
  tries=$((tries + 1))
  # shellcheck disable=SC2170
  if [ $tries -gt @TRIES@ ]; then
    printf '{"cniVersion": "1.0.0", "code": 11, "msg": "no NetworkPolicy is in force for %s yet"}' "$address"
    exit 1
  fi
  sleep @PAUSE@
done
printf '%s' "$result"
