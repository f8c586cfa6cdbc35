#!/bin/sh
# The starter on kind, with released programs alone: Pulumi with its language host and provider, Istio with its proxy, and
# an image that Docker builds. PULUMI, KUBERNETES and ISTIO are their versions; docker, kind, kubectl and helm are there.
set -eu
cd "$(dirname "$0")/../.."
version=$(node -p 'require("./package.json").version')
work=$(mktemp -d)
cluster=drawbridge-$$
trap 'kind delete cluster --name "$cluster"; rm -rf "$work"' EXIT

case $(uname -m) in aarch64) machine=arm64 ;; *) machine=x64 ;; esac
archive=pulumi-v$PULUMI-linux-$machine.tar.gz sums=pulumi-$PULUMI-checksums.txt
for file in "$archive" "$sums"; do
  curl --fail --silent --show-error --location --retry 3 --output "$work/$file" \
    "https://github.com/pulumi/pulumi/releases/download/v$PULUMI/$file"
done
(cd "$work" && grep -- " $archive\$" "$sums" | sha256sum --check --quiet - && tar -xzf "$archive")
export PATH="$work/pulumi:$work/devs/node_modules/.bin:$PATH" KUBECONFIG="$work/kubeconfig" HOME="$work"
export PULUMI_BACKEND_URL="file://$work" PULUMI_CONFIG_PASSPHRASE="only for tests"

kind create cluster --name "$cluster" --image "kindest/node:v$KUBERNETES" --wait 3m
charts=https://istio-release.storage.googleapis.com/charts
helm install base base --repo "$charts" --version "$ISTIO" --namespace istio-system --create-namespace
helm install istiod istiod --repo "$charts" --version "$ISTIO" --namespace istio-system --wait \
  --set pilot.env.PILOT_FILTER_GATEWAY_CLUSTER_CONFIG=true
image=drawbridge/devcontainer:$version
packages/images/build.sh devcontainer
kind load docker-image "$image" --name "$cluster"

npm run release -- --dry-run --only npm --out "$work/release"
pulumi new "$PWD/starter" --generate-only --yes --name devs --dir "$work/devs"
cd "$work/devs"
npm install "$work"/release/npm/*.tgz
mkdir -m 700 "$HOME/.ssh" && ssh-keygen -q -t ed25519 -N "" -f "$HOME/.ssh/id_ed25519"
sed -i "s#ssh-ed25519 [^]]*#$(cat "$HOME/.ssh/id_ed25519.pub")#" Pulumi.platform.yaml
sed -i "s#image: .*#image: $image#" Pulumi.team-a.yaml

# kind has no LoadBalancers: kube-proxy takes the node's own address for one.
address=$(kubectl get nodes --output jsonpath='{.items[0].status.addresses[?(@.type=="InternalIP")].address}')
status="{\"status\":{\"loadBalancer\":{\"ingress\":[{\"ip\":\"$address\"}]}}}"
(until kubectl patch service ssh-ingress --namespace ssh-ingress --subresource status --patch "$status"; do
  sleep 2
done >/dev/null 2>&1) &

pulumi stack init platform
pulumi up --stack platform --yes
pulumi stack init team-a
pulumi config set --stack team-a --secret drawbridge:hostKeySeed "$(openssl rand -base64 32)"
pulumi up --stack team-a --yes
pulumi preview --stack team-a --expect-no-changes
drawbridge ssh-config --stack team-a --identity "$HOME/.ssh/id_ed25519"
test "$(ssh -F "$HOME/.ssh/config" dev1 hostname)" = dev1-0
