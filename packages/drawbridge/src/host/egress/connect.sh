#!/bin/bash
# shellcheck disable=SC3003,SC3025
# connect HOST PORT: standard input and output to a host by the proxy of HTTPS_PROXY, as ssh's ProxyCommand.
set -eu
## What NO_PROXY names is reached directly, as other programs do.
IFS=,
for direct in ${NO_PROXY:-}; do
  case .$1 in *."${direct#.}")
    exec 3<>"/dev/tcp/$1/$2"
    break
    ;;
  esac
done
if [ ! -e /proc/self/fd/3 ]; then
  proxy=${HTTPS_PROXY#http://}
  address=${proxy##*@}
  login=$(printf %s "${proxy%@*}" | base64 | tr -d '\n')
  exec 3<>"/dev/tcp/${address%:*}/${address##*:}"
  printf 'CONNECT %s:%s HTTP/1.1\r\nHost: %s:%s\r\nProxy-Authorization: Basic %s\r\n\r\n' "$1" "$2" "$1" "$2" "$login" >&3
  reason=
  IFS=' ' read -r _ status _ <&3
  while IFS= read -r line <&3 && [ "$line" != $'\r' ]; do
    case $line in x-egress-reason:*) reason=${line#*: } ;; esac
  done
  if [ "$status" != 200 ]; then
    echo "drawbridge: ${reason%$'\r'} ($status)" >&2
    exit 1
  fi
fi
exec 4<&0
cat <&4 >&3 &
cat <&3
kill $! 2>/dev/null || true
