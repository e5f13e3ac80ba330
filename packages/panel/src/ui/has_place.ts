import { useMediaQuery } from '@vueuse/core'

/**
 * Whether a table has place for all columns. Between these widths rows are not cards, and what can
 * be seen elsewhere is left out.
 */
export const useHasPlace = () => useMediaQuery('(min-width: 1280px), (max-width: 767px)')
