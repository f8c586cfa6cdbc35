#!/bin/sh
# ci/review.sh up|down <number> <team stack>: a stack of its own for one pull request, made like the team's.
set -eu
action=$1 name=pr-$2 team=$3
case $action in
  up)
    cp "stacks/Pulumi.$team.yaml" "stacks/Pulumi.$name.yaml"
    pulumi stack select --create "$name"
    pulumi config set --stack "$name" --path drawbridge:team.namespace "$name"
    pulumi up --stack "$name" --yes --non-interactive
    ;;
  down)
    pulumi destroy --stack "$name" --yes --non-interactive --remove
    # Namespace and volumes outlive a destroy; those of a review are nobody's.
    kubectl delete namespace "$name" --ignore-not-found
    ;;
  *)
    echo "review.sh: \"$action\" is neither up nor down" >&2
    exit 2
    ;;
esac
