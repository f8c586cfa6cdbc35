#!/bin/sh
# ci/review.sh up|down <number> <team stack>: a stack of its own for one pull request, made like the team's.
set -eu
action=${1:-} name=pr-${2:-} team=${3:-}
case $action in
  up | down) ;;
  *)
    echo "review.sh: \"$action\" is neither up nor down" >&2
    exit 2
    ;;
esac
if [ "$name" = pr- ] || [ ! -f "Pulumi.$team.yaml" ]; then
  echo "review.sh: give a number and a team's stack; there is no Pulumi.$team.yaml" >&2
  exit 2
fi
# Each job starts from a fresh checkout, so the removal needs the file as well: the state's key is in it.
cp "Pulumi.$team.yaml" "Pulumi.$name.yaml"
pulumi stack select --create "$name"
pulumi config set --stack "$name" --path drawbridge:team.namespace "$name"
# The platform makes the namespaces of teams, and knows nothing of this one.
pulumi config set --stack "$name" --path drawbridge:team.createNamespace true
if [ "$action" = up ]; then
  pulumi up --stack "$name" --yes --non-interactive
else
  pulumi destroy --stack "$name" --yes --non-interactive --remove
  # Namespace and volumes outlive a destroy; those of a review are nobody's.
  kubectl delete namespace "$name" --ignore-not-found
fi
