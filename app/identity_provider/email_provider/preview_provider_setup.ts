import {
  type ProviderPlan,
  planProviderSetup,
} from '#app/identity_provider/email_provider/plan_provider_setup'
import { requireSettings } from '#app/identity_provider/email_provider/set_up_provider'
import {
  type PermissionProbe,
  probeServiceAccount,
} from '#app/identity_provider/zitadel/probe_service_account'

export interface SetupPreview {
  /** Each completes "would …". */
  steps: string[]
  permissions: PermissionProbe[]
}

/**
 * Changes nothing.
 * @throws as `setUpProvider` does
 */
export async function previewProviderSetup(options: {
  rotate: boolean
  activateOnly: boolean
}): Promise<SetupPreview> {
  requireSettings()
  const permissions = await probeServiceAccount()
  const canRead = permissions.some((probe) => probe.permission === 'iam.read' && probe.granted)
  if (!canRead) return { steps: [], permissions }
  const plan = await planProviderSetup(options)
  const steps = options.activateOnly ? ['activate the provider that was set up'] : stepsOf(plan)
  return { steps, permissions }
}

function stepsOf({ keep, change, remove }: ProviderPlan): string[] {
  return [
    ...(keep ? [] : ['add an e-mail provider and store its signing key']),
    ...(change?.rotate ? [`change the signing key of the provider ${keep?.id}`] : []),
    ...(change && !change.rotate ? [`change the endpoint of the provider ${keep?.id}`] : []),
    ...(keep?.isActive ? [] : [`activate ${keep ? `the provider ${keep.id}` : 'it'}`]),
    ...remove.map((id) => `remove the provider ${id}, whose signing key is lost`),
  ]
}
