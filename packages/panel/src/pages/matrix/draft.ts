import { shallowReactive, shallowRef } from 'vue'
import { type CellKey, type Level, type Levels, idsOf } from '@/pages/matrix/cells'

/** A cell that was changed and not applied yet. */
export interface DraftCell {
  level: Level
  /** The stored level when it was changed. If the stored one differs now, both have changed it. */
  base: Level
}

/**
 * What was changed in the matrix and not applied yet. It survives a reload and signing in again in
 * this tab. Stamps tell which rows changed, so that only those are drawn again: with 10,000 cells,
 * nothing else answers a key at once.
 *
 * @param name tells it apart from drafts of other people and applications
 */
export function createDraft(name: string) {
  const storageKey = `matrix-draft:${name}`
  const cells = new Map<CellKey, DraftCell>(restore(storageKey))
  const stamps = shallowReactive(new Map<number, number>())
  /** Increases with every change. */
  const version = shallowRef(0)

  function touch(keys: Iterable<CellKey>) {
    for (const permissionId of new Set([...keys].map((key) => idsOf(key).permissionId))) {
      stamps.set(permissionId, (stamps.get(permissionId) ?? 0) + 1)
    }
    version.value++
    if (cells.size === 0) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify([...cells]))
  }

  return {
    cells,
    stamps,
    version,
    level: (key: CellKey, stored: Levels): Level =>
      cells.get(key)?.level ?? stored.get(key) ?? 'none',
    set(changes: [CellKey, Level][], stored: Levels) {
      for (const [key, level] of changes) {
        const base = cells.get(key)?.base ?? stored.get(key) ?? 'none'
        if ((stored.get(key) ?? 'none') === level) cells.delete(key)
        else cells.set(key, { level, base })
      }
      touch(changes.map(([key]) => key))
    },
    /** Keeps a change although the stored level is another one now. */
    keep(key: CellKey, stored: Levels) {
      const { level } = cells.get(key)!
      cells.set(key, { level, base: stored.get(key) ?? 'none' })
      touch([key])
    },
    drop(keys: CellKey[]) {
      for (const key of keys) cells.delete(key)
      touch(keys)
    },
    /** Cells that someone else has changed too, to something else. */
    conflicts: (stored: Levels): CellKey[] =>
      [...cells].flatMap(([key, { base }]) => ((stored.get(key) ?? 'none') === base ? [] : [key])),
  }
}

export type Draft = ReturnType<typeof createDraft>

function restore(storageKey: string): [CellKey, DraftCell][] {
  const text = sessionStorage.getItem(storageKey)
  return text ? (JSON.parse(text) as [CellKey, DraftCell][]) : []
}
