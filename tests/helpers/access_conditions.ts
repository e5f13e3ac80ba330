import fc from 'fast-check'
import type { Attributes } from '#app/checks/values/attributes'

/** When and with which attributes a check is made. */
export interface Circumstances {
  /** In milliseconds; the present by default. */
  now?: number
  attributes?: Attributes
  /** What the conditions turn out to be that need an attribute. */
  assumed?: ReadonlyMap<string, boolean>
  /** Whether the resource is one that nobody has named. */
  unnamed?: boolean
}

interface Asked {
  email: string
  permission: string
  /** Undefined for a resource that nobody has named. */
  resourceId: string | undefined
}

/** Undefined if an attribute is missing. */
type Meaning = (asked: Asked, circumstances: Circumstances) => boolean | undefined

const TURN = Date.parse('2027-01-01T01:30:00Z')

/** What each condition means, without CEL. */
export const CONDITIONS: Record<string, Meaning> = {
  'resource.properties.status == "open"': (_, { attributes }) => {
    const status = attributes?.resource?.status
    return status === undefined ? undefined : status === 'open'
  },
  'has(resource.properties.owner) && resource.properties.owner == subject.email': (
    { email },
    { attributes }
  ) => attributes?.resource?.owner === email,
  'context.amount < 100 || subject.properties.vip == true': (_, { attributes }) => {
    const { context, subject } = attributes ?? {}
    if ((context?.amount as number) < 100 || subject?.vip === true) return true
    return context?.amount === undefined || subject?.vip === undefined ? undefined : false
  },
  'action.name in ["Write", "a:all"] || action.properties.soft': (
    { permission },
    { attributes }
  ) => {
    if (['Write', 'a:all'].includes(permission)) return true
    return attributes?.action?.soft as boolean | undefined
  },
  'resource.id == "1"': ({ resourceId }) =>
    resourceId === undefined ? undefined : resourceId === '1',
  'now >= timestamp("2027-01-01T01:30:00Z")': (_, { now = Date.now() }) => now >= TURN,
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const given = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Attributes that the conditions read; each may be missing. */
export const attributesPlan: fc.Arbitrary<Attributes> = fc
  .record({
    status: maybe(fc.constantFrom('open', 'closed')),
    amount: maybe(fc.constantFrom(50, 100, 150)),
    vip: maybe(fc.boolean()),
    soft: maybe(fc.boolean()),
  })
  .map(({ status, amount, vip, soft }) => ({
    resource: given({ status }),
    context: given({ amount }),
    subject: given({ vip }),
    action: given({ soft }),
  }))

export const conditionPlan: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(CONDITIONS)) }
)
