import { computed, reactive, ref } from 'vue'
import { ALWAYS, type TimeWindow, isSameWindow, windowOf } from '@/api/time_window'
import {
  type Choice,
  type Override,
  type OverrideBody,
  choiceOf,
  levelOf,
  toBody,
} from '@/queries/overrides'

/** What is wanted of a permission; an empty condition is none. */
export interface Wanted extends TimeWindow {
  choice: Choice
  condition: string
}

const UNSET: Wanted = { choice: 'unset', condition: '', ...ALWAYS }

const wantedOf = (held: Override | undefined): Wanted =>
  held ? { choice: choiceOf(held), condition: held.condition ?? '', ...windowOf(held) } : UNSET

const isSame = (a: Wanted, b: Wanted) =>
  a.choice === b.choice &&
  (a.choice === 'unset' || (a.condition === b.condition && isSameWindow(a, b)))

const asMap = (overrides: Override[]) => new Map(overrides.map((held) => [held.permissionId, held]))

/** What is chosen and not saved yet, beside what is stored. */
export function useDraft(stored: Override[]) {
  const base = ref(asMap(stored))
  const chosen = reactive(new Map<number, Wanted>())
  /** What others have chosen meanwhile where something else is chosen here. */
  const theirs = ref(new Map<number, Wanted>())

  const baseOf = (id: number) => wantedOf(base.value.get(id))
  const of = (id: number): Wanted => chosen.get(id) ?? baseOf(id)

  function choose(id: number, change: Partial<Wanted>) {
    const wanted = { ...of(id), ...change }
    if (isSame(wanted, baseOf(id))) chosen.delete(id)
    else chosen.set(id, wanted)
    theirs.value.delete(id)
  }

  return {
    of,
    isChanged: (id: number) => chosen.has(id),
    theirs,
    count: computed(() => chosen.size),
    choose,
    /** What is stored, with the changes. Whatever is not chosen here stays as it is. */
    all(): OverrideBody[] {
      const kept = [...base.value.values()].map((held) => {
        const wanted = chosen.get(held.permissionId)
        return wanted ? bodyOf(held.permissionId, wanted) : toBody(held)
      })
      const added = [...chosen]
        .filter(([id]) => !base.value.has(id))
        .map(([id, wanted]) => bodyOf(id, wanted))
      return [...kept, ...added].filter((body) => body !== null)
    },
    /** Takes over what someone else has stored, and keeps the changes beside it. */
    merge(present: Override[]) {
      const before = base.value
      base.value = asMap(present)
      const conflicts = [...chosen].filter(
        ([id, wanted]) =>
          !isSame(baseOf(id), wantedOf(before.get(id))) && !isSame(baseOf(id), wanted)
      )
      theirs.value = new Map(conflicts.map(([id]) => [id, baseOf(id)]))
      for (const [id, wanted] of chosen) if (isSame(wanted, baseOf(id))) chosen.delete(id)
    },
  }
}

function bodyOf(permissionId: number, wanted: Wanted): OverrideBody | null {
  const { choice, condition } = wanted
  if (choice === 'unset') return null
  return {
    permissionId,
    granted: choice !== 'deny',
    ...levelOf(choice),
    condition: condition === '' ? null : condition,
    ...windowOf(wanted),
  }
}
