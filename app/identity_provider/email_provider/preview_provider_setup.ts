import { planProviderSetup } from '#app/identity_provider/email_provider/plan_provider_setup'
import type { ProviderPlan } from '#app/identity_provider/email_provider/plan_provider_setup'
import { requireSettings } from '#app/identity_provider/email_provider/set_up_provider'
import {
  type PermissionProbe,
  probeServiceAccount,
} from '#app/identity_provider/zitadel/probe_service_account'

/** What a setup changes at the identity provider, in this order. */
export const SETUP_ACTIONS = [
  'add',
  'rotate_key',
  'change_endpoint',
  'activate',
  'replace',
  'remove',
] as const

export interface SetupStep {
  action: (typeof SETUP_ACTIONS)[number]
  /** The e-mail provider, by its id there; null for the one that is added. */
  providerId: string | null
}

export interface SetupPreview {
  steps: SetupStep[]
  permissions: PermissionProbe[]
}

/**
 * Changes nothing. Without the permission `iam.read`, there are no steps.
 * @throws as `setUpProvider` does
 */
export async function previewProviderSetup(options: { rotate: boolean }): Promise<SetupPreview> {
  requireSettings()
  const permissions = await probeServiceAccount()
  const canRead = permissions.some((probe) => probe.permission === 'iam.read' && probe.granted)
  if (!canRead) return { steps: [], permissions }
  return { steps: stepsOf(await planProviderSetup(options)), permissions }
}

function stepsOf({ keep, change, remove, replaces }: ProviderPlan): SetupStep[] {
  const providerId = keep?.id ?? null
  const steps: SetupStep[] = []
  if (!keep) steps.push({ action: 'add', providerId })
  if (change) steps.push({ action: change.rotate ? 'rotate_key' : 'change_endpoint', providerId })
  if (!keep?.isActive) steps.push({ action: 'activate', providerId })
  if (replaces) steps.push({ action: 'replace', providerId: replaces.id })
  return [...steps, ...remove.map((id) => ({ action: 'remove' as const, providerId: id }))]
}
