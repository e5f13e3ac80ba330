import { LRUCache } from 'lru-cache'
import { levelOfRank } from '#app/permissions/values/access_level'
import {
  type ConditionalGrant,
  type PermissionFacts,
  byLevelAndCondition,
} from '#app/checks/values/access_facts'
import type { DefinedPermission, Definitions } from '#app/checks/previews/definitions'

/** What roles grant together, by the position of the permission in a list of codes. */
export interface Levels {
  /** What they grant without a condition: see `rankOf`. */
  ranks: Uint8Array
  /** Sorted as the facts of checks. */
  conditional: Map<number, ConditionalGrant[]>
}

/** Sets of roles to remember, because many users have the same. */
const REMEMBERED = 1_000

/** What roles grant of some permissions, before or after changes. */
export class RoleLevels {
  readonly #definitions: Definitions
  readonly #codes: string[]
  readonly #grants: Map<number, PositionedGrant[]>
  readonly #levels = new LRUCache<string, Levels>({ max: REMEMBERED })

  constructor(definitions: Definitions, codes: string[]) {
    this.#definitions = definitions
    this.#codes = codes
    const positions = new Map(codes.map((code, position) => [code, position]))
    this.#grants = new Map(
      [...definitions.grants].map(([roleId, grants]) => [
        roleId,
        grants.flatMap(({ permissionId, rank, condition }) => {
          const { code } = definitions.permissions.get(permissionId)!
          const position = positions.get(code)
          return position === undefined ? [] : [{ position, rank, condition }]
        }),
      ])
    )
  }

  of(roleIds: number[]): Levels {
    const key = roleIds.join()
    const known = this.#levels.get(key)
    if (known) return known
    const levels = this.#compute(roleIds)
    this.#levels.set(key, levels)
    return levels
  }

  definition(position: number): DefinedPermission | undefined {
    return this.#definitions.byCode.get(this.#codes[position])
  }

  /** Of one permission, without an override. Undefined if it is not defined. */
  factsOf(position: number, { ranks, conditional }: Levels): PermissionFacts | undefined {
    const defined = this.definition(position)
    if (!defined) return undefined
    const { code, type, global } = defined
    return {
      code,
      type,
      global,
      groupName: null,
      override: null,
      roleLevel: levelOfRank(ranks[position] || null),
      conditionalGrants: conditional.get(position) ?? [],
    }
  }

  #compute(roleIds: number[]): Levels {
    const ranks = new Uint8Array(this.#codes.length)
    const conditional = new Map<number, ConditionalGrant[]>()
    for (const roleId of roleIds) {
      for (const { position, rank, condition } of this.#grants.get(roleId) ?? []) {
        if (condition === null) {
          if (rank > ranks[position]) ranks[position] = rank
          continue
        }
        const grant = { level: levelOfRank(rank)!, condition }
        conditional.set(position, [...(conditional.get(position) ?? []), grant])
      }
    }
    for (const grants of conditional.values()) grants.sort(byLevelAndCondition)
    return { ranks, conditional }
  }
}

interface PositionedGrant {
  position: number
  rank: number
  condition: string | null
}
