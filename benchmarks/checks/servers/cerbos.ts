import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#tests/world/free_port'
import { type Server, stop } from '../../world/processes.ts'
import {
  APPLICATIONS,
  PERMISSIONS_PER_APPLICATION,
  ROLES_PER_APPLICATION,
  applicationCode,
  permissionCode,
  roleCode,
  roleOf,
} from '../../world/workload.ts'

const require = createRequire(import.meta.url)
const START_TIMEOUT_MS = 20_000

/**
 * A real Cerbos server with one resource policy per application and a rule per role. Cerbos stores
 * no assignments: each request contains the person's roles, which saves it a look-up.
 */
export async function startCerbos(folder: string): Promise<Server> {
  const policies = join(folder, 'policies')
  mkdirSync(policies, { recursive: true })
  for (let app = 0; app < APPLICATIONS; app++) {
    writeFileSync(join(policies, `${applicationCode(app)}.json`), JSON.stringify(policyOf(app)))
  }
  const port = await freePort()
  const config = join(folder, 'cerbos.json')
  writeFileSync(config, JSON.stringify(settings(port, await freePort(), policies)))
  const child = spawn(
    require.resolve('@cerbos/cerbos-linux-x64'),
    ['server', `--config=${config}`, '--log-level=error'],
    // It reports each request that the end of a measurement cuts off as an error.
    { stdio: 'ignore', env: { CERBOS_NO_TELEMETRY: '1' } }
  )
  const url = `http://127.0.0.1:${port}`
  await healthy(child, `${url}/_cerbos/health`)
  return { pid: child.pid!, url, stop: () => stop(child) }
}

function policyOf(app: number) {
  return {
    apiVersion: 'api.cerbos.dev/v1',
    resourcePolicy: {
      version: 'default',
      resource: applicationCode(app),
      rules: Array.from({ length: ROLES_PER_APPLICATION }, (_, role) => ({
        effect: 'EFFECT_ALLOW',
        roles: [roleCode(role)],
        actions: permissionsOf(role),
      })),
    },
  }
}

function permissionsOf(role: number) {
  return Array.from({ length: PERMISSIONS_PER_APPLICATION }, (_, permission) => permission)
    .filter((permission) => roleOf(permission) === role)
    .map(permissionCode)
}

function settings(port: number, grpcPort: number, policies: string) {
  return {
    server: {
      httpListenAddr: `127.0.0.1:${port}`,
      grpcListenAddr: `127.0.0.1:${grpcPort}`,
      requestLimits: { maxActionsPerResource: PERMISSIONS_PER_APPLICATION },
    },
    storage: { driver: 'disk', disk: { directory: policies, watchForChanges: false } },
    telemetry: { disabled: true },
    audit: { enabled: false },
  }
}

async function healthy(child: ChildProcess, url: string) {
  const exited = once(child, 'exit').then(() => {
    throw new Error('Cerbos ended before it was ready')
  })
  exited.catch(() => {})
  const deadline = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadline) {
    const response = await Promise.race([fetch(url).catch(() => null), exited])
    if (response?.ok) return
    await delay(100)
  }
  throw new Error('Cerbos did not become ready')
}
