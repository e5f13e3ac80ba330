import type { JsonSchema } from '#development/openapi/json_schema'

/** Example values by field name. */
const EXAMPLES: Record<string, unknown> = {
  id: 7,
  email: 'alan@acme.example',
  recipientEmail: 'alan@acme.example',
  firstName: 'Alan',
  lastName: 'Turing',
  displayName: 'Alan Turing',
  locale: 'cs',
  timezone: 'Europe/Prague',
  timeZone: 'Europe/Prague',
  condition: 'resource.properties.owner == subject.email',
  previousCondition: null,
  brand: 'default',
  app: 'demo',
  appCode: 'demo',
  applicationCode: 'demo',
  application: 'demo',
  appName: 'Demo',
  code: 'documents',
  slug: 'acme',
  name: 'Documents',
  key: 'main',
  type: 'generic',
  template: 'main',
  permission: 'documents',
  permissions: ['documents', 'reports'],
  permissionCode: 'documents',
  permissionId: 3,
  roleIds: [2],
  role: 'clerk',
  description: 'Access to documents',
  groupName: 'Office',
  resourceType: 'document',
  resourceId: '4711',
  subject: 'Your report is ready',
  subjectTemplate: 'Hello {{userName}}',
  bodyTemplate: '<p>Your report has {{pages}} pages.</p>',
  checks: 5120,
  deliveries: 340,
  failures: 3,
  logins: 87,
  data: { pages: 12 },
  payload: { pages: 12 },
  supportedLanguages: ['en', 'cs'],
  organisations: ['300000000000000001'],
  brands: ['default'],
  fallback: 'en',
  endpoint: 'https://push.example/send/8c1f',
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
  privateKey: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----',
  deviceLabel: 'Telephone',
  avatarUrl: 'https://pictures.example/alan.png',
  listEndpoint: 'https://documents.example/api/list',
  baseUrl: 'https://shop.example',
  callbackUrls: ['https://shop.example/callback'],
  postLogoutUrls: ['https://shop.example/bye'],
  primaryColor: '#112233',
  backgroundColor: '#ffffff',
  fontColor: '#000000',
  idpUserId: '300000000000000002',
  idpOrgId: '300000000000000001',
  orgId: '300000000000000001',
  issuer: 'https://id.acme.example',
  jwks_uri: 'https://id.acme.example/oauth/v2/keys',
  userinfo_endpoint: 'https://id.acme.example/oidc/v1/userinfo',
  limit: 50,
  statusReason: null,
  eventType: 'user.created',
  host: 'mail.acme.example',
  port: 587,
  domain: 'acme.example',
  selector: 's1',
  cursor: 'aWQ6Nw',
  client_id: 'concierge',
  date: '2026-03-01',
}

const TIMESTAMP = '2026-03-01T10:00:00.000Z'
const MAX_DEPTH = 12

/** Returns a stable value that fits the schema. `lookUp` resolves a `$ref`. */
export function exampleOf(
  schema: JsonSchema,
  lookUp: (reference: string) => JsonSchema,
  field = '',
  depth = 0
): unknown {
  if (depth > MAX_DEPTH) return null
  if (schema.example !== undefined) return schema.example
  const nested = (inner: JsonSchema, name = field) => exampleOf(inner, lookUp, name, depth + 1)
  if (schema.$ref) return nested(lookUp(schema.$ref))
  if (field in EXAMPLES && fits(EXAMPLES[field], schema)) return EXAMPLES[field]
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return nested(schema.anyOf[0])
  const [type] = [schema.type].flat()
  switch (type) {
    case 'object':
      if (typeof schema.additionalProperties === 'object') {
        return { documents: nested(schema.additionalProperties, '') }
      }
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, nested(inner, name)])
      )
    case 'array':
      return (schema.maxItems ?? 1) > 0 && schema.items ? [nested(schema.items)] : []
    case 'string':
      return exampleText(schema, field)
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    default:
      return null
  }
}

/** Whether the schema accepts an example value, judged by its type. */
function fits(value: unknown, schema: JsonSchema): boolean {
  if (schema.enum) return schema.enum.includes(value)
  const types = [schema.type ?? schema.anyOf?.map(({ type }) => type)].flat(2)
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) {
    return types.includes('array') && value.every((one) => fits(one, schema.items ?? {}))
  }
  if (typeof value === 'number') return types.includes('integer') || types.includes('number')
  if (typeof value === 'object') {
    const isFree =
      !schema.anyOf && !schema.properties && typeof schema.additionalProperties !== 'object'
    return types.includes('object') && isFree
  }
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(String(value))) return false
  return types.includes(typeof value)
}

function exampleText({ format, pattern }: JsonSchema, field: string): string {
  if (format === 'date-time') return TIMESTAMP
  if (format === 'email') return 'alan@acme.example'
  if (format === 'uri') return 'https://acme.example/'
  if (pattern === undefined) return 'text'
  // The last is a time of day, which differs between the ends of a period.
  const candidates = ['text', 'a1', field === 'to' ? '07:00' : '22:00']
  return candidates.find((text) => new RegExp(pattern, 'u').test(text)) ?? 'a1'
}
