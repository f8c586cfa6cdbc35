#!/bin/sh
# ci/install-pulumi.sh <folder>: unpacks the pinned release of Pulumi there, if its checksum is the one written here.
# The checksums of a release are in pulumi-<version>-checksums.txt beside it; nothing runs before they are compared.
set -eu
version=3.259.0
case $(uname -m) in
  x86_64) platform=linux-x64 sha256=94ba357acac23d01474084c4b00098dc0f7bc70ce13f34c777459254a5f718e5 ;;
  aarch64) platform=linux-arm64 sha256=edc8327463a72160bb36cf82cf5062da9c8a244290a706d9980988e7bf486853 ;;
  *)
    echo "install-pulumi.sh: no checksum of Pulumi $version for $(uname -m) is written here; add it" >&2
    exit 2
    ;;
esac
mkdir -p "$1"
archive=$(mktemp)
trap 'rm -f "$archive"' EXIT
curl --fail --silent --show-error --location --retry 3 --output "$archive" \
  "https://github.com/pulumi/pulumi/releases/download/v$version/pulumi-v$version-$platform.tar.gz"
echo "$sha256  $archive" | sha256sum --check --quiet - >&2
tar -xzf "$archive" --strip-components=1 -C "$1"
