import { describe, expect, it } from "vitest";
import { cgroupControllers, kernelFaults, type MachineFacts, machineFaults } from "./preflight.ts";

const bytesPerGib = 2 ** 30;
const good: MachineFacts = {
  platform: "linux",
  architecture: "x64",
  uid: 0,
  rooms: [
    {
      purpose: "the state of a lab",
      folder: "/state",
      neededBytes: 4 * bytesPerGib,
      freeBytes: 4 * bytesPerGib,
    },
  ],
  compilers: [],
};

describe("machineFaults", () => {
  it("accepts a Linux machine with root and exactly the room that is needed", () => {
    expect(machineFaults(good)).toEqual([]);
  });

  it("says nothing but the platform where it is not Linux", () => {
    expect(machineFaults({ ...good, platform: "darwin", uid: 501, rooms: [] })).toEqual([
      "this system is darwin; a lab runs on Linux only, for example in a virtual machine with Debian 12 or newer.",
    ]);
  });

  it("lists processor, user, disk and compilers together", () => {
    const rooms = [
      {
        purpose: "building the lab's programs",
        folder: "/cache",
        neededBytes: 20 * bytesPerGib,
        freeBytes: 1.25 * bytesPerGib,
      },
      ...good.rooms,
    ];
    expect(
      machineFaults({ ...good, architecture: "riscv64", uid: 1000, rooms, compilers: ["no cargo."] }),
    ).toEqual([
      "the processor is riscv64; a lab runs on x64 and arm64.",
      "the user id is 1000; a lab needs root (user id 0) for its namespaces. Run the same command with sudo.",
      "/cache has 1.3 GiB free; building the lab's programs needs 20.0 GiB. Free some space, or set the variable that moves it (DRAWBRIDGE_CACHE for the cache, DRAWBRIDGE_LAB_STATE for the state).",
      "no cargo.",
    ]);
  });
});

describe("machineFaults of a lab with a machine", () => {
  const memory = { neededBytes: 3 * bytesPerGib, freeBytes: 3 * bytesPerGib };

  it("accepts exactly the memory that is needed", () => {
    expect(machineFaults({ ...good, memory })).toEqual([]);
  });

  it("says how much memory is missing, and that only x64 is emulated", () => {
    const little = { ...memory, freeBytes: 1.5 * bytesPerGib };
    expect(machineFaults({ ...good, architecture: "arm64", memory: little })).toEqual([
      "the processor is arm64; a machine is emulated on x64 only.",
      "1.5 GiB of memory are free; an emulated machine needs 3.0 GiB beside the lab. End other programs.",
    ]);
  });
});

describe("kernelFaults", () => {
  it("accepts a kernel on which every probe worked", () => {
    expect(kernelFaults({ failures: {}, controllers: ["cpu", "cpuset", "memory", "pids", "io"] })).toEqual(
      [],
    );
  });

  it("says for each failed probe what the kernel answered and what to do", () => {
    const facts = {
      failures: { bridge: "Error: Unknown device type.", queues: "Operation not supported" },
      controllers: ["cpu", "cpuset", "pids"],
    };
    expect(kernelFaults(facts)).toEqual([
      "bridge cannot be used here (Error: Unknown device type.): load the kernel module: modprobe bridge.",
      "queues cannot be used here (Operation not supported): load the kernel modules: modprobe -a nf_tables nft_compat xt_NFQUEUE nfnetlink_queue.",
      "the cgroup controllers memory are off; switch them on with the kernel's command line, for example cgroup_enable=memory, and restart.",
    ]);
  });
});

describe("cgroupControllers", () => {
  it("takes the enabled ones of version 1 and all of version 2, each once", () => {
    const version1 = "#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t1\t1\t1\nmemory\t0\t1\t0\n";
    expect(cgroupControllers(version1, "cpu io\n")).toEqual(["cpu", "io"]);
  });

  it("finds none where neither file can be read", () => {
    expect(cgroupControllers("", "")).toEqual([]);
  });
});
