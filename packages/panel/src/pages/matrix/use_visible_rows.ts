import { useEventListener, useWindowSize } from '@vueuse/core'
import { type MaybeRefOrGetter, type Ref, computed, ref, toValue } from 'vue'

/** As in `matrix.css`. */
const ROW_REM = 2
/** Rows beyond each edge, so that scrolling rarely shows a gap. */
const AROUND = 3
/** The rows change only after so many, not at every pixel. */
const STEP = 3

/** Rows that are on the screen, and `always`: others are not drawn, so that a key costs little. */
export function useVisibleRows(
  grid: Readonly<Ref<HTMLElement | null>>,
  count: MaybeRefOrGetter<number>,
  always: MaybeRefOrGetter<number>
) {
  const scrollTop = ref(0)
  const scroller = computed(() => grid.value?.parentElement)
  useEventListener(scroller, 'scroll', () => (scrollTop.value = scroller.value!.scrollTop), {
    passive: true,
  })
  const { height } = useWindowSize()
  const rowPx = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

  const first = computed(() => {
    const top = Math.floor(scrollTop.value / rowPx / STEP) * STEP
    return Math.max(0, Math.min(top, toValue(count)) - AROUND)
  })
  const last = computed(() => {
    const rows = Math.ceil(height.value / rowPx) + STEP + 2 * AROUND
    return Math.min(first.value + rows, toValue(count)) - 1
  })
  /** The one that would not be drawn otherwise, or null. */
  const other = computed(() => {
    const row = toValue(always)
    return row >= 0 && (row < first.value || row > last.value) ? row : null
  })
  return computed(() => {
    const rows = Array.from({ length: last.value - first.value + 1 }, (_, i) => first.value + i)
    if (other.value === null) return rows
    return other.value < first.value ? [other.value, ...rows] : [...rows, other.value]
  })
}
