/** A repository is cloned before the container starts, and a database runs beside it. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import { base } from "./base.ts";

export default function program() {
  new DevContainer("dev1", {
    ...base(),
    pod: {
      volumes: [{ name: "data", emptyDir: { sizeLimit: "1Gi" } }],
      initContainers: [
        {
          name: "clone",
          image: "registry.example.com/git:2.47",
          command: [
            "sh",
            "-c",
            "test -d /target/repo || git clone https://git.example.com/repo /target/repo",
          ],
          volumeMounts: [{ name: "home", mountPath: "/target" }],
        },
      ],
      sidecars: [
        {
          name: "database",
          image: "registry.example.com/postgres:17.2",
          envValueFrom: { POSTGRES_PASSWORD: { secretKeyRef: { name: "database", key: "password" } } },
          resources: { memory: "512Mi" },
          volumeMounts: [{ name: "data", mountPath: "/var/lib/postgresql" }],
        },
      ],
    },
  });
}
