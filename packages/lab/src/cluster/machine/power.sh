## Powers a machine on and stays until it is off. Its root file system is a folder of this namespace: Debian as the cache has
## it, what the supervisor reads, and the shared folders at the same paths. Nothing of it outlives the power but the disk.

mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/upper /run/work /run/root
mount -t overlay -o "lowerdir=$DEBIAN,upperdir=/run/upper,workdir=/run/work" overlay /run/root
printf '%s' "$INIT" > /run/root/init
chmod 755 /run/root/init
printf '%s' "$FSTAB" > /run/root/etc/fstab
# shellcheck disable=SC2086
cp --archive --parents $COPIED /run/root
mkdir -p "/run/root$SHARED" "/run/root$READ_ONLY"
mount --bind "$SHARED" "/run/root$SHARED"
mount --bind "$READ_ONLY" "/run/root$READ_ONLY"
mount -o remount,bind,ro "/run/root$READ_ONLY"

# A card of the machine is a port of a bridge; the wire to another node, which comes and goes with that node, is the other.
cards=
# shellcheck disable=SC2153
for card in $CARDS; do
  ip tuntap add "tap-$card" mode tap
  ip link add "card-$card" type bridge
  ip link set "tap-$card" master "card-$card" up
  ip link set "card-$card" up
  cards="$cards -netdev tap,id=$card,ifname=tap-$card,script=no,downscript=no -device virtio-net-pci,netdev=$card"
done

# Debian 12 and Ubuntu 22.04 have it with QEMU, later ones for itself.
for daemon in /usr/libexec/virtiofsd /usr/lib/qemu/virtiofsd; do [ ! -x $daemon ] || break; done
$daemon --socket-path=/run/files.sock -o source=/run/root,cache=always -f 2>/run/files.log &
until [ -S /run/files.sock ]; do kill -0 $! || { cat /run/files.log; exit 1; }; sleep 0.1; done

# shellcheck disable=SC2086
exec qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -serial stdio \
  -M q35 -accel $ACCELERATOR -cpu max -smp 2 -m "${MEMORY}M" \
  -object "memory-backend-memfd,id=memory,size=${MEMORY}M,share=on" -numa node,memdev=memory \
  -chardev socket,id=files,path=/run/files.sock -device vhost-user-fs-pci,chardev=files,tag=root \
  -drive "file=$DISK,if=none,id=disk" -device nvme,drive=disk,serial=lab \
  $cards \
  -kernel /run/root/boot/vmlinuz-* \
  -append "console=ttyS0 quiet panic=-1 no_timer_check nowatchdog root=root rootfstype=virtiofs rw init=/init"
