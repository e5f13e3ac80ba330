import { isDeepStrictEqual } from 'node:util'
import { type Operation, changed, operation } from './operation.ts'
import { requireOrganisation } from './organisations.ts'
import { exists, invalid, notFound, unchanged } from './refusal.ts'
import { FLAG, NOTHING, object, oneOf } from './schema.ts'
import type { LabelPolicy, State } from './state.ts'

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

const MAX_IMAGE_BYTES = 512 * 1_024
const PATH = /^\/management\/v1\/policies\/label$/
const COLOUR = { type: 'string', pattern: '^(?:#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}))?$' }
const COLOURS = Object.keys(DEFAULT_LABEL_POLICY).filter((name) => name.includes('Color'))
const POLICY = object({
  ...Object.fromEntries(COLOURS.map((name) => [name, COLOUR])),
  hideLoginNameSuffix: FLAG,
  disableWatermark: FLAG,
  themeMode: oneOf('THEME_MODE_AUTO', 'THEME_MODE_LIGHT', 'THEME_MODE_DARK'),
})

/** See zitadel.md#branding-api. */
export const branding: Record<string, Operation> = {
  readPolicy: operation({
    method: 'GET',
    path: PATH,
    permission: 'policy.read',
    run({ state, orgId }) {
      requireOrganisation(state, orgId)
      const active = state.policies.get(orgId)?.active
      if (!active) return { policy: { ...DEFAULT_LABEL_POLICY, isDefault: true } }
      const logo = state.logos.get(orgId)?.active && { logoUrl: logoUrl(orgId) }
      return { policy: { ...active, ...logo } }
    },
  }),
  createPolicy: operation<LabelPolicy>({
    method: 'POST',
    path: PATH,
    permission: 'policy.write',
    writes: true,
    takes: POLICY,
    run({ state, orgId, body }) {
      requireOrganisation(state, orgId)
      if (state.policies.has(orgId)) throw exists('Policy already exists')
      state.policies.set(orgId, { draft: body })
      return changed()
    },
  }),
  changePolicy: operation<LabelPolicy>({
    method: 'PUT',
    path: PATH,
    permission: 'policy.write',
    writes: true,
    takes: POLICY,
    run({ state, orgId, body }) {
      const policy = requirePolicy(state, orgId)
      if (isDeepStrictEqual(body, policy.draft)) throw unchanged('Policy has not been changed')
      policy.draft = body
      return changed()
    },
  }),
  uploadLogo: operation({
    method: 'POST',
    path: /^\/assets\/v1\/org\/policy\/label\/logo$/,
    permission: 'policy.write',
    writes: true,
    takes: 'file',
    run({ state, orgId, file }) {
      requirePolicy(state, orgId)
      if (!file.contentType.startsWith('image/')) throw invalid('The file is not an image')
      if (file.bytes > MAX_IMAGE_BYTES) throw invalid('The image is larger than 512 KiB')
      const active = state.logos.get(orgId)?.active
      state.logos.set(orgId, { draft: file, active })
      return {}
    },
  }),
  activatePolicy: operation({
    method: 'POST',
    path: /^\/management\/v1\/policies\/label\/_activate$/,
    permission: 'policy.write',
    writes: true,
    takes: NOTHING,
    run({ state, orgId }) {
      const policy = requirePolicy(state, orgId)
      const logo = state.logos.get(orgId)
      const isActive = policy.active && isDeepStrictEqual(policy.draft, policy.active)
      if (isActive && isDeepStrictEqual(logo?.draft, logo?.active)) {
        throw unchanged('Policy is active')
      }
      policy.active = policy.draft
      if (logo) logo.active = logo.draft
      return changed()
    },
  }),
}

const logoUrl = (orgId: string) => `https://id.example/assets/v1/${orgId}/policy/label/logo`

function requirePolicy(state: State, orgId: string) {
  requireOrganisation(state, orgId)
  const policy = state.policies.get(orgId)
  if (!policy) throw notFound('Policy not found')
  return policy
}
