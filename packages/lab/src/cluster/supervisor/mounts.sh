## Some programs write to places that are fixed in their code: sockets, locks and named network namespaces below /run,
## kubelet's links to logs below /var/log, its device plugins and CNI's results below /var/lib. A node gets its own of
## these; of /var/lib a copy on write, for the cache or other things in use may lie there.

mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p "$2" /run/drawbridge-lab/upper /run/drawbridge-lab/work /run/drawbridge-lab/root
mount --bind "$2" /var/log
mount --bind "$1" /run/drawbridge-lab/root
mount -t overlay -o lowerdir=/var/lib,upperdir=/run/drawbridge-lab/upper,workdir=/run/drawbridge-lab/work overlay /var/lib
# The instance's own folder stays the real one.
mount --move /run/drawbridge-lab/root "$1"
# Mounts made from here on reach containers that ask for it, and never the machine: unshare cut that tie.
mount --make-rshared /
