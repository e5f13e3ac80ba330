import { computed, ref } from 'vue'
import type { Broadcast } from '@/queries/broadcasts'

interface Sample {
  /** Milliseconds since the page was opened */
  at: number
  processed: number
}

/** Older progress says little about the present. */
const WINDOW_MS = 30_000
/** Less progress than this says nothing yet. */
const SHORTEST_MS = 1_500

/** How fast a broadcast is, from the progress that was seen lately. */
export function usePace() {
  const samples = ref<Sample[]>([])
  const left = ref(0)

  /** Messages per second; null if it is not known. */
  const rate = computed(() => {
    const [first, last] = [samples.value[0], samples.value.at(-1)]
    if (!first || !last || last.at - first.at < SHORTEST_MS) return null
    return ((last.processed - first.processed) / (last.at - first.at)) * 1_000
  })

  return {
    rate,
    /** Seconds until everyone is processed; null if that is not known. */
    remaining: computed(() => (rate.value ? left.value / rate.value : null)),
    add({ status, processed, total }: Broadcast, at = performance.now()) {
      left.value = total - processed
      if (status !== 'running') samples.value = []
      else {
        const recent = samples.value.filter((sample) => at - sample.at <= WINDOW_MS)
        samples.value = [...recent, { at, processed }]
      }
    },
  }
}
