import {
  type ComputedRef,
  type MaybeRefOrGetter,
  type Ref,
  computed,
  nextTick,
  ref,
  toValue,
} from 'vue'

/** A cell of the grid. Row -1 holds the headings of columns, column -1 those of rows. */
export interface Position {
  row: number
  column: number
}

/** Where the cell is that Tab reaches. Not a ref, so that it can be a prop that never changes. */
export interface Roving {
  at: ComputedRef<Position>
}

/** The column of that cell if it is in the row, else null. Only rows that it concerns are drawn. */
export const columnIn = ({ at }: Roving, row: () => number) =>
  computed(() => (at.value.row === row() ? at.value.column : null))

const PAGE = 10
const CELLS = '[role=gridcell], [role=rowheader], [role=columnheader]'

/** The one cell of a grid that Tab reaches, and the keys that move it. */
export function useRovingCell(
  grid: Readonly<Ref<HTMLElement | null>>,
  size: MaybeRefOrGetter<{ rows: number; columns: number }>
) {
  const wanted = ref<Position>({ row: 0, column: 0 })
  const inside = ({ row, column }: Position): Position => ({
    row: Math.min(Math.max(row, -1), toValue(size).rows - 1),
    column: Math.min(Math.max(column, -1), toValue(size).columns - 1),
  })
  const at = computed(() => inside(wanted.value))

  function positionOf(target: EventTarget | null) {
    const element = (target as Element | null)?.closest<HTMLElement>(CELLS)
    const line = element?.closest<HTMLElement>('[role=row]')
    if (!element || !line) return null
    const column = [...line.children].indexOf(element) - 1
    return { element, position: { row: Number(line.dataset.row), column } }
  }

  function cellAt({ row, column }: Position) {
    const line = grid.value?.querySelector(`[data-row="${row}"]`)
    return line?.children.item(column + 1) as HTMLElement | null | undefined
  }

  /** At once if it is drawn, so that a held arrow key never lags behind. */
  function focusCell(position: Position) {
    wanted.value = inside(position)
    const cell = cellAt(wanted.value)
    if (cell) cell.focus()
    else void nextTick(() => cellAt(wanted.value)?.focus())
  }

  /** @returns whether the key moves the cell */
  function move({ key, ctrlKey }: KeyboardEvent, { row, column }: Position): boolean {
    const last = Infinity
    const moves: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [row - PAGE, column],
      PageDown: [row + PAGE, column],
      Home: ctrlKey ? [0, 0] : [row, 0],
      End: ctrlKey ? [last, last] : [row, last],
    }
    const found = moves[key]
    if (!found) return false
    focusCell({ row: found[0], column: found[1] })
    return true
  }

  return { roving: { at } satisfies Roving, positionOf, focusCell, move }
}
