/**
 * The program `pulumi-language-nodejs`, for a machine whose Pulumi was built from its sources: the official one comes
 * with Pulumi's release only. Like that one it starts Pulumi's own `cmd/run` of the project's SDK, which does the work.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
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

const server = new grpc.Server();
server.addService(service.LanguageRuntimeService, {
  run,
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
