/**
 * A server that a team puts behind its own storage path by hand, with nothing but a Deployment, a Service and a ConfigMap:
 * it answers whatever it likes, and notes what it is sent.
 */

import { imageRef } from "../../packages/lab/src/images/index.ts";
import { kubectl } from "../../scripts/lib/lab/lab.ts";
import { deploy, deployment, neighbour } from "../../scripts/lib/stacks/deployer.ts";
import { restricted } from "../support/lab/restricted.ts";

/** One answer of the server, to a path below its own. */
export interface HandMadeAnswer {
  readonly path: string;
  readonly json?: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request as the server noted it. */
export interface Noted {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
}

export class HandMadeStorage {
  readonly namespace: string;
  readonly name: string;

  constructor(namespace: string, name: string) {
    this.namespace = namespace;
    this.name = name;
  }

  get path(): string {
    return `/storage/${this.namespace}/${this.name}/`;
  }

  /** Starts it by the deployer's role alone. The last answer is for every other path. */
  async start(answers: readonly HandMadeAnswer[]): Promise<void> {
    const labels = {
      "app.kubernetes.io/component": "storage",
      "app.kubernetes.io/instance": this.name,
      "drawbridge.dev/role": "accessor",
    };
    const { namespace, name } = this;
    const container = {
      name: "server",
      image: imageRef("proxyv2"),
      imagePullPolicy: "Never",
      command: ["/usr/local/bin/envoy"],
      args: [
        ...["--config-path", "/etc/server/envoy.json", "--disable-hot-restart"],
        ...["--concurrency", "1", "--file-flush-interval-msec", "100"],
      ],
      readinessProbe: { tcpSocket: { port: 5000 }, periodSeconds: 1 },
      securityContext: restricted,
      volumeMounts: [{ name: "config", mountPath: "/etc/server" }],
    };
    await deploy([
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace },
        data: { "envoy.json": JSON.stringify(this.#config(answers)) },
      },
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: `${name}-files`, namespace },
        spec: { selector: labels, ports: [{ name: "http", port: 5000, appProtocol: "http" }] },
      },
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name, namespace },
        spec: { podSelector: { matchLabels: labels }, policyTypes: ["Ingress"], ingress: [{}] },
      },
      deployment(namespace, name, {
        labels,
        containers: [container],
        volumes: [{ name: "config", configMap: { name } }],
      }),
    ]);
    await kubectl([
      ...neighbour,
      ...["-n", namespace, "rollout", "status", `deployment/${name}`, "--timeout=90s"],
    ]);
  }

  /** All requests so far. */
  async noted(): Promise<Noted[]> {
    const log = await kubectl(["-n", this.namespace, "logs", `deployment/${this.name}`]);
    return log
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Noted);
  }

  #config(answers: readonly HandMadeAnswer[]): object {
    const routes = answers.map(({ path, json, status, headers, body }, index) => ({
      match: {
        ...(index === answers.length - 1 ? { prefix: "/" } : { path: this.path + path }),
        ...(json === true ? { query_parameters: [{ name: "json", present_match: true }] } : {}),
      },
      direct_response: { status, body: { inline_string: body } },
      response_headers_to_add: Object.entries(headers).map(([key, value]) => ({
        header: { key, value },
        append_action: "OVERWRITE_IF_EXISTS_OR_ADD",
      })),
    }));
    const type = (name: string) => `type.googleapis.com/envoy.extensions.${name}`;
    const manager = {
      "@type": type("filters.network.http_connection_manager.v3.HttpConnectionManager"),
      stat_prefix: "hand-made",
      access_log: [
        {
          name: "stdout",
          typed_config: {
            "@type": type("access_loggers.stream.v3.StdoutAccessLog"),
            log_format: {
              json_format: {
                method: "%REQ(:METHOD)%",
                path: "%REQ(:PATH)%",
                authorization: "%REQ(AUTHORIZATION)%",
              },
            },
          },
        },
      ],
      route_config: { virtual_hosts: [{ name: "all", domains: ["*"], routes }] },
      http_filters: [{ name: "router", typed_config: { "@type": type("filters.http.router.v3.Router") } }],
    };
    return {
      static_resources: {
        listeners: [
          {
            name: "http",
            address: { socket_address: { address: "0.0.0.0", port_value: 5000 } },
            filter_chains: [{ filters: [{ name: "http", typed_config: manager }] }],
          },
        ],
      },
    };
  }
}
