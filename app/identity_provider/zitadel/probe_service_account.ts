import { callProvider } from '#app/identity_provider/zitadel/call_provider'
import { Missing } from '#app/identity_provider/zitadel/null_on_error'
import { ServiceAccountLacksPermission } from '#app/identity_provider/exceptions'

export interface PermissionProbe {
  permission: string
  granted: boolean
}

const body = { query: { limit: 1 } }
const read = (permission: string, path: string) =>
  ({ permission, method: 'POST', path, body }) as const

/** Reads, and the activation of something that does not exist: none of them changes anything. */
const PROBES = [
  read('iam.read', '/admin/v1/email/_search'),
  {
    permission: 'iam.write',
    method: 'POST',
    path: '/admin/v1/email/0/_activate',
    body: {},
    missing: () => new Missing(),
  },
  read('org.read', '/v2/organizations/_search'),
  read('project.read', '/management/v1/projects/_search'),
  { permission: 'policy.read', method: 'GET', path: '/management/v1/policies/label' },
] as const

/** @throws as `callProvider` does, except ServiceAccountLacksPermission */
export async function probeServiceAccount(): Promise<PermissionProbe[]> {
  return Promise.all(
    PROBES.map(async (probe) => ({
      permission: probe.permission,
      granted: await isGranted(probe),
    }))
  )
}

async function isGranted(probe: (typeof PROBES)[number]): Promise<boolean> {
  try {
    await callProvider(probe)
    return true
  } catch (error) {
    if (error instanceof ServiceAccountLacksPermission) return false
    if (error instanceof Missing) return true
    throw error
  }
}
