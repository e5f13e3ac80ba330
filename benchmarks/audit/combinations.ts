import { codeOf, timeOf } from './entries.ts'

/** A page of the list that is narrowed by several filters. */
export interface Combination {
  name: string
  query: string
}

type Values = Record<string, string>

/** Each fills pages, and together they match one entry. */
function valuesOfOne(count: number): Values {
  // Divisible by three, and by a user.
  const n = Math.floor(count / 300) * 300 - 150
  return {
    application: codeOf(n),
    actor: `admin${(n * 7) % 200}@acme.example`,
    actorKind: 'user',
    action: 'user.roles_replaced',
    targetKind: 'user',
    targetId: String(n % 67),
    email: `user${n % 61}@acme.example`,
  }
}

/** Each fills pages, but hardly any two of them match the same entry. */
const VALUES_OF_SEVERAL: Values = {
  application: 'app-7',
  actor: 'admin74@acme.example',
  actorKind: 'command',
  action: 'role.permissions_replaced',
  targetKind: 'user',
  targetId: '7',
  email: 'user7@acme.example',
}

/** Every filter with every other one, without a period and with each kind of period. */
export function combinationsOf(count: number): Combination[] {
  const [early, late] = [timeOf(Math.round(count / 3)), timeOf(Math.round((count * 2) / 3))]
  const periods = ['', `from=${early}`, `to=${late}`, `from=${early}&to=${late}`]
  return [valuesOfOne(count), VALUES_OF_SEVERAL].flatMap((values) =>
    subsetsOf(Object.keys(values)).flatMap((names) =>
      periods.map((period) => {
        const given = Object.fromEntries(names.map((name) => [name, values[name]]))
        const query = [new URLSearchParams(given).toString(), period].filter(Boolean).join('&')
        return { name: decodeURIComponent(query) || 'everything', query }
      })
    )
  )
}

function subsetsOf<T>([first, ...others]: T[]): T[][] {
  if (first === undefined) return [[]]
  const rest = subsetsOf(others)
  return [...rest, ...rest.map((subset) => [first, ...subset])]
}
