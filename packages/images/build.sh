#!/bin/sh
# Builds the images that clusters use, and pushes them to a registry of one's own:
#   packages/images/build.sh --push registry.example.com/team
#   packages/images/build.sh --base nvidia/cuda:13.0.1-devel-ubuntu24.04 --tag 0.1.0-cuda devcontainer
# Docker with BuildKit is needed; DOCKER=podman works as well.
set -eu

usage() {
  cat <<'TEXT'
usage: build.sh [--push PREFIX] [--tag TAG] [--base IMAGE] [--platform LIST] [IMAGE …]
  --push PREFIX    push as PREFIX/IMAGE:TAG, for example registry.example.com/team; without it only build
  --tag TAG        tag of every image; default: the version in package.json
  --base IMAGE     what devcontainer starts from; default: ubuntu:24.04
  --platform LIST  for example linux/amd64,linux/arm64; default: this machine's (needs docker buildx and --push)
  IMAGE            devcontainer, sshd-bundle, frps, frpc, programs, dufs; default: all
TEXT
}

packages=$(cd "$(dirname "$0")/.." && pwd)
docker=${DOCKER:-docker}
prefix='' base='' platform='' tag=''
while [ $# -gt 0 ]; do
  case $1 in
    --push | --tag | --base | --platform)
      if [ $# -lt 2 ]; then
        echo "build.sh: $1 needs a value; see build.sh --help" >&2
        exit 2
      fi
      case $1 in
        --push) prefix=${2%/} ;;
        --tag) tag=$2 ;;
        --base) base=$2 ;;
        --platform) platform=$2 ;;
      esac
      shift 2
      ;;
    --help) usage; exit 0 ;;
    -*) echo "build.sh: there is no option $1; see build.sh --help" >&2; exit 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || set -- devcontainer sshd-bundle frps frpc programs dufs
[ -n "$tag" ] || tag=$(sed -n 's/^ *"version": "\(.*\)",/\1/p' "$packages/images/package.json")

for image in "$@"; do
  folder=$image target='' with_base=''
  case $image in
    devcontainer) with_base=$base ;;
    frps | frpc) folder=frp target=$image ;;
    sshd-bundle | programs | dufs) ;;
    *) echo "build.sh: no image is called $image; see build.sh --help" >&2; exit 2 ;;
  esac
  ref=${prefix:-drawbridge}/$image:$tag
  "$docker" build --tag "$ref" --file "$packages/images/$folder/Dockerfile" \
    ${target:+--target "$target"} ${with_base:+--build-arg "BASE=$with_base"} \
    ${platform:+--platform "$platform"} ${platform:+${prefix:+--push}} "$packages"
  # Images of several platforms are pushed by the build; this machine could not keep them.
  [ -z "$prefix" ] || [ -n "$platform" ] || "$docker" push "$ref"
  echo "$ref"
done
