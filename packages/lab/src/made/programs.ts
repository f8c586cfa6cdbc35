// Made by `npm run docs` of the programs that stand beside their builders; change those.
// biome-ignore-all format: each text is one line
import type { Program } from "@drawbridge-iac/manifests/program";

/** cluster/image-store-copy.sh */
export const imageStoreCopySh = "\ncp --archive --link \"$1\" \"$2\" 2>/dev/null || { rm -rf \"$2\"; cp --archive \"$1\" \"$2\"; }\nfor database in \"$1\"/*/*.db; do\n  cp --archive --remove-destination \"$database\" \"$2${database#\"$1\"}\"\ndone\n";

/** cluster/image-store-fill.sh */
export const imageStoreFillSh = "\nmount -t tmpfs tmpfs /run\nprintf '%s' \"$CONFIG\" > /run/store.toml\n\"$CONTAINERD\" --config=/run/store.toml --log-level=warn >&2 &\nuntil [ -S \"$SOCKET\" ]; do kill -0 $!; sleep 0.05; done\nfor archive; do $IMPORT < \"$archive\" >/dev/null; done\nkill -TERM $!\nwait $!\n";

/** cluster/policy/address-plugin.sh */
export const addressPluginSh = "#!/bin/sh\nset -eu\nown=$(dirname \"$0\")\n[ \"$CNI_COMMAND\" = ADD ] || exec \"$own/host-local\"\nresult=$(\"$own/host-local\")\naddress=$(printf '%s' \"$result\" | tr -d '\\n' | sed 's|.*\"address\": *\"\\([0-9.]*\\)/.*|\\1|')\nuid=$(printf '%s' \"$CNI_ARGS\" | sed 's|.*K8S_POD_UID=\\([^;]*\\).*|\\1|')\n# Written beside and moved, so that nobody reads half of it.\nprintf '%s' \"$uid\" > \"@FOLDER@/$address.new\"\nmv \"@FOLDER@/$address.new\" \"@FOLDER@/asked/$address\"\ntries=0\nuntil [ \"$(cat \"@FOLDER@/governed/$address\" 2>/dev/null)\" = \"$uid\" ]; do\n  tries=$((tries + 1))\n  if [ $tries -gt @TRIES@ ]; then\n    printf '{\"cniVersion\": \"1.0.0\", \"code\": 11, \"msg\": \"no NetworkPolicy is in force for %s yet\"}' \"$address\"\n    exit 1\n  fi\n  sleep 0.02\ndone\nprintf '%s' \"$result\"\n" as Program<"FOLDER" | "TRIES">;

/** cluster/storage/network-disk.sh */
export const networkDiskSh = "#!/bin/sh\nname() { printf '%s' \"$1\" | sed 's|.*\"kubernetes.io/pvOrVolumeName\":\"\\([^\"]*\\)\".*|\\1|'; }\nsuccess() { printf '{\"status\": \"Success\"%s}' \"$1\"; }\ncase $1 in\n  init) success ', \"capabilities\": {\"attach\": true, \"fsGroup\": true, \"selinuxRelabel\": false, \"requiresFSResize\": false}' ;;\n  attach) success \", \\\"device\\\": \\\"@FOLDER@/$(name \"$2\")\\\"\" ;;\n  waitforattach) success \", \\\"device\\\": \\\"$2\\\"\" ;;\n  mountdevice) mount --bind \"$3\" \"$2\" && success ;;\n  # All else is done by Kubernetes itself.\n  *) printf '{\"status\": \"Not supported\"}'; exit 1 ;;\nesac\n" as Program<"FOLDER">;

/** cluster/supervisor/mounts.sh */
export const mountsSh = "\nmount -t tmpfs -o mode=755 tmpfs /run\nmkdir -p \"$2\" /run/drawbridge-lab/upper /run/drawbridge-lab/work /run/drawbridge-lab/root\nmount --bind \"$2\" /var/log\nmount --bind \"$1\" /run/drawbridge-lab/root\nmount -t overlay -o lowerdir=/var/lib,upperdir=/run/drawbridge-lab/upper,workdir=/run/drawbridge-lab/work overlay /var/lib\n# The instance's own folder stays the real one.\nmount --move /run/drawbridge-lab/root \"$1\"\n# Mounts made from here on reach containers that ask for it, and never the machine: unshare cut that tie.\nmount --make-rshared /\n";
