import type { AccessLevel } from '#app/permissions/values/access_level'
import { CONDITIONS, type Circumstances } from '#tests/helpers/access_conditions'
import { ALWAYS, type AccessWorld, type WorldScope } from '#tests/helpers/access_world'
import { type Verdict, expectedVerdict, meets } from '#tests/helpers/access_oracle'

const bytes = (text: string) => Buffer.from(text)
const inByteOrder = (a: string, b: string) => Buffer.compare(bytes(a), bytes(b))

interface Asked extends Circumstances {
  permission: string
  needed?: AccessLevel
}

export interface ExpectedGrant {
  key: string
  accessLevel: AccessLevel | null
  source: Verdict['source']
}

interface Expected {
  results: ExpectedGrant[]
  /** Denied, but not with every value of the attributes that are missing. */
  conditional: string[]
  denied: string[]
}

function judge(world: AccessWorld, scopes: [string, WorldScope][], asked: Asked): Expected {
  const expected: Expected = { results: [], conditional: [], denied: [] }
  for (const [key, scope] of scopes.sort(([a], [b]) => inByteOrder(a, b))) {
    const verdict = expectedVerdict(world, scope, asked.permission, asked)
    if (meets(verdict, asked.needed)) {
      expected.results.push({ key, accessLevel: verdict.level, source: verdict.source })
      continue
    }
    expected.denied.push(key)
    if (couldBeAllowed(world, scope, asked)) expected.conditional.push(key)
  }
  return expected
}

/** Tries every combination of values of the conditions that need an attribute. */
export function couldBeAllowed(world: AccessWorld, scope: WorldScope, asked: Asked): boolean {
  const texts = Object.keys(CONDITIONS)
  return Array.from({ length: 2 ** texts.length }, (_, combination) => combination).some((bits) => {
    const assumed = new Map(texts.map((text, nth) => [text, (bits & (1 << nth)) !== 0]))
    const verdict = expectedVerdict(world, scope, asked.permission, { ...asked, assumed })
    return meets(verdict, asked.needed)
  })
}

export function expectedSubjects(
  world: AccessWorld,
  scope: Omit<WorldScope, 'email'>,
  asked: Asked
): Expected {
  const people = [...world.people, `stranger-${world.people[0]}`]
  return judge(
    world,
    people.map((email) => [email, { ...scope, email }]),
    asked
  )
}

export interface ExpectedResources extends Expected {
  everywhere: boolean
}

export function expectedResources(
  world: AccessWorld,
  { email, app, resourceType }: WorldScope & { resourceType: string },
  asked: Asked
): ExpectedResources {
  const now = asked.now ?? Date.now()
  const catalogued = world.catalog.filter((row) => row.app === app)
  const overridden = world.overrides.filter(
    ({ window: { from, until } = ALWAYS, ...row }) =>
      row.email === email &&
      row.app === app &&
      row.permission === asked.permission &&
      (from === null || from <= now) &&
      (until === null || now < until)
  )
  const named = new Set(
    [...catalogued, ...overridden]
      .filter((row) => row.resourceType === resourceType)
      .map(({ resourceId }) => resourceId)
  )
  const scope = (resourceId: string) => ({ email, app, resourceType, resourceId })
  const unnamed = expectedVerdict(world, scope('nobody named this'), asked.permission, {
    ...asked,
    unnamed: true,
  })
  return {
    everywhere: meets(unnamed, asked.needed),
    ...judge(
      world,
      [...named].map((resourceId) => [resourceId, scope(resourceId)]),
      asked
    ),
  }
}

export function expectedPermissions(
  world: AccessWorld,
  scope: WorldScope,
  circumstances: Circumstances
): Expected {
  const codes = world.permissions.filter(({ app }) => app === scope.app).map(({ code }) => code)
  const expected: Expected = { results: [], conditional: [], denied: [] }
  for (const code of codes.sort(inByteOrder)) {
    const one = judge(world, [[code, scope]], { ...circumstances, permission: code })
    expected.results.push(...one.results)
    expected.conditional.push(...one.conditional)
    expected.denied.push(...one.denied)
  }
  return expected
}
