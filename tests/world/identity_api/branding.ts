import { type Operation, changed } from '#tests/world/identity_api/operation'
import { exists, invalid, notFound, unchanged } from '#tests/world/identity_api/refusal'
import type { LabelPolicy, State } from '#tests/world/identity_api/state'
import { requireOrganisation } from '#tests/world/identity_api/organisations'

/** The policy of an organisation without its own. */
export const DEFAULT_LABEL_POLICY: LabelPolicy = {
  primaryColor: '#5469d4',
  backgroundColor: '#fafafa',
  warnColor: '#cd3d56',
  fontColor: '#000000',
  primaryColorDark: '#2073c4',
  backgroundColorDark: '#111827',
  warnColorDark: '#ff3b5b',
  fontColorDark: '#ffffff',
  themeMode: 'THEME_MODE_AUTO',
}

const PATH = /^\/management\/v1\/policies\/label$/
const COLOURS = new Set(Object.keys(DEFAULT_LABEL_POLICY).filter((name) => name.includes('Color')))
const FLAGS = new Set(['hideLoginNameSuffix', 'disableWatermark'])

/** See zitadel.md#branding-api. */
export const branding: Record<string, Operation> = {
  readPolicy: {
    method: 'GET',
    path: PATH,
    permission: 'policy.read',
    run({ state, orgId }) {
      requireOrganisation(state, orgId)
      const active = state.policies.get(orgId)?.active
      return { policy: active ? { ...active } : { ...DEFAULT_LABEL_POLICY, isDefault: true } }
    },
  },
  createPolicy: {
    method: 'POST',
    path: PATH,
    permission: 'policy.write',
    writes: true,
    run({ state, orgId, body }) {
      requireOrganisation(state, orgId)
      if (state.policies.has(orgId)) throw exists('Policy already exists')
      state.policies.set(orgId, { draft: parsePolicy(body) })
      return changed()
    },
  },
  changePolicy: {
    method: 'PUT',
    path: PATH,
    permission: 'policy.write',
    writes: true,
    run({ state, orgId, body }) {
      const policy = requirePolicy(state, orgId)
      const draft = parsePolicy(body)
      if (isSame(draft, policy.draft)) throw unchanged('Policy has not been changed')
      policy.draft = draft
      return changed()
    },
  },
  uploadLogo: {
    method: 'POST',
    path: /^\/assets\/v1\/org\/policy\/label\/logo$/,
    permission: 'policy.write',
    writes: true,
    takes: 'form',
    async run({ state, orgId, raw, contentType }) {
      requirePolicy(state, orgId)
      const headers = { 'content-type': contentType }
      const form = await new Response(new Uint8Array(raw), { headers }).formData()
      const file = form.get('file')
      if (!(file instanceof File) || !file.type.startsWith('image/')) throw invalid('no image')
      if (file.size > 512 * 1_024) throw invalid('too large')
      const active = state.logos.get(orgId)?.active
      state.logos.set(orgId, { draft: { contentType: file.type, bytes: file.size }, active })
      return {}
    },
  },
  activatePolicy: {
    method: 'POST',
    path: /^\/management\/v1\/policies\/label\/_activate$/,
    permission: 'policy.write',
    writes: true,
    run({ state, orgId }) {
      const policy = requirePolicy(state, orgId)
      const logo = state.logos.get(orgId)
      const isActive = policy.active && isSame(policy.draft, policy.active)
      if (isActive && logo?.draft === logo?.active) throw unchanged('Policy is active')
      policy.active = policy.draft
      if (logo) logo.active = logo.draft
      return changed()
    },
  },
}

function requirePolicy(state: State, orgId: string) {
  requireOrganisation(state, orgId)
  const policy = state.policies.get(orgId)
  if (!policy) throw notFound('Policy not found')
  return policy
}

function parsePolicy(body: Record<string, unknown>): LabelPolicy {
  for (const [name, value] of Object.entries(body)) {
    const isValid = COLOURS.has(name)
      ? typeof value === 'string' && /^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6}))?$/i.test(value)
      : FLAGS.has(name)
        ? typeof value === 'boolean'
        : name === 'themeMode'
    if (!isValid) throw invalid(`invalid ${name}`)
  }
  return body as LabelPolicy
}

const isSame = (one: LabelPolicy, other: LabelPolicy) =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
