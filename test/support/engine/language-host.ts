/**
 * The program `pulumi-language-nodejs`, for a machine whose Pulumi was built from its sources: the official one comes
 * with Pulumi's release only. Like that one it starts Pulumi's own `cmd/run` of the project's SDK, which does the work, and
 * `cmd/run-plugin` for a plugin's folder, in which npm has installed what it needs.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import grpc from "@grpc/grpc-js";
import service from "@pulumi/pulumi/proto/language_grpc_pb.js";
import type * as pb from "@pulumi/pulumi/proto/language_pb.js";
import messages from "@pulumi/pulumi/proto/language_pb.js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";

type Answer<T> = grpc.sendUnaryData<T>;

// The exit code with which `cmd/run` says that it has shown the user what is wrong.
const shownCode = 32;
const engine = process.argv.at(-1) ?? "";

/** Runs the program to its end, as the request says. */
function run({ request }: { request: pb.RunRequest }, answer: Answer<pb.RunResponse>): void {
  const info = request.getInfo();
  const options = info?.getOptions()?.toJavaScript() ?? {};
  const fromProject = createRequire(join(info?.getProgramDirectory() ?? request.getPwd(), "package.json"));
  const flags = {
    monitor: request.getMonitorAddress(),
    engine,
    organization: request.getOrganization(),
    project: request.getProject(),
    "root-directory": info?.getRootDirectory() ?? "",
    stack: request.getStack(),
    pwd: request.getPwd(),
    parallel: `${request.getParallel()}`,
  };
  const child = spawn(
    process.execPath,
    [
      ...`${options.nodeargs ?? ""}`.split(" ").filter((part) => part !== ""),
      fromProject.resolve("@pulumi/pulumi/cmd/run"),
      ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
      ...(request.getDryrun() ? ["--dry-run"] : []),
      info?.getEntryPoint() || ".",
    ],
    {
      cwd: request.getPwd(),
      env: {
        ...process.env,
        PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().entries())),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
        PULUMI_NODEJS_TYPESCRIPT: `${options.typescript !== false}`,
      },
      // The engine shows what a program prints; standard output would be read as the host's own.
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  child.on("close", (code, signal) => {
    const response = new messages.RunResponse();
    if (code === shownCode) response.setBail(true);
    else if (code !== 0) response.setError(`the program ended with ${code ?? signal}`);
    answer(null, response);
  });
}

type Stream<Request, Response> = grpc.ServerWritableStream<Request, Response>;

/** Runs a program and passes on what it prints. */
function passOn<Request, Response>(
  call: Stream<Request, Response>,
  child: ChildProcessByStdio<null, Readable, Readable>,
  response: () => Response & { setStdout(value: Buffer): void; setStderr(value: Buffer): void },
  end: (code: number) => void,
): void {
  const print = (name: "setStdout" | "setStderr") => (text: Buffer) => {
    const printed = response();
    printed[name](text);
    call.write(printed);
  };
  child.stdout.on("data", print("setStdout"));
  child.stderr.on("data", print("setStderr"));
  child.on("close", (code) => end(code ?? 1));
  call.on("cancelled", () => child.kill());
}

function installDependencies(
  call: Stream<pb.InstallDependenciesRequest, pb.InstallDependenciesResponse>,
): void {
  const child = spawn("npm", ["install", "--loglevel=error"], {
    cwd: call.request.getDirectory(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  passOn(
    call,
    child,
    () => new messages.InstallDependenciesResponse(),
    (code) => {
      if (code === 0) call.end();
      else call.emit("error", { code: grpc.status.UNKNOWN, details: `npm install ended with ${code}` });
    },
  );
}

function runPlugin(call: Stream<pb.RunPluginRequest, pb.RunPluginResponse>): void {
  const folder = call.request.getInfo()?.getProgramDirectory() ?? "";
  const program = createRequire(join(folder, "package.json")).resolve("@pulumi/pulumi/cmd/run-plugin");
  const child = spawn(process.execPath, [program, folder, ...call.request.getArgsList()], {
    cwd: call.request.getPwd(),
    env: {
      ...Object.fromEntries(call.request.getEnvList().map((word) => word.split(/=(.*)/s))),
      PULUMI_NODEJS_TYPESCRIPT: "false",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  passOn(
    call,
    child,
    () => new messages.RunPluginResponse(),
    (code) => {
      const ended = new messages.RunPluginResponse();
      ended.setExitcode(code);
      call.end(ended);
    },
  );
}

const server = new grpc.Server();
server.addService(service.LanguageRuntimeService, {
  run,
  installDependencies,
  runPlugin,
  getPluginInfo(_: unknown, answer: Answer<unknown>) {
    const response = new pluginMessages.PluginInfo();
    response.setVersion("0.0.0");
    answer(null, response);
  },
  getRequiredPackages: (_: unknown, answer: Answer<unknown>) =>
    answer(null, new messages.GetRequiredPackagesResponse()),
  getRequiredPlugins: (_: unknown, answer: Answer<unknown>) =>
    answer(null, new messages.GetRequiredPluginsResponse()),
  getProgramDependencies: (_: unknown, answer: Answer<unknown>) =>
    answer(null, new messages.GetProgramDependenciesResponse()),
  about: (_: unknown, answer: Answer<unknown>) => answer(null, new messages.AboutResponse()),
  cancel: (_: unknown, answer: Answer<unknown>) => answer(null, new empty.Empty()),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  // Pulumi reads the port from the first line.
  process.stdout.write(`${port}\n`);
});
