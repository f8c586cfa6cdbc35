#!/bin/sh
## A FlexVolume driver: the attach/detach controller attaches a disk to one node at a time, and each kubelet mounts what is
## attached, as with a cloud's disks. The disk itself is a folder that all nodes have, so nothing is copied when it moves.
name() { printf '%s' "$1" | sed 's|.*"kubernetes.io/pvOrVolumeName":"\([^"]*\)".*|\1|'; }
success() { printf '{"status": "Success"%s}' "$1"; }
case $1 in
  init) success ', "capabilities": {"attach": true, "fsGroup": true, "selinuxRelabel": false, "requiresFSResize": false}' ;;
  attach) success ", \"device\": \"@FOLDER@/$(name "$2")\"" ;;
  waitforattach) success ", \"device\": \"$2\"" ;;
  mountdevice) mount --bind "$3" "$2" && success ;;
  # All else is done by Kubernetes itself.
  *) printf '{"status": "Not supported"}'; exit 1 ;;
esac
