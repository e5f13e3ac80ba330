import { createRouter, createWebHistory } from 'vue-router'
import { isLoadFailure, isUnreachable } from '@/frame/reachable'
import { loadTexts } from '@/i18n'
import { routes } from '@/routes/platform'

export const router = createRouter({ history: createWebHistory('/panel/'), routes })

// At the same time as the files of the page, which are awaited in between.
router.beforeEach((to) => void loadTexts(to.meta.texts ?? []).catch(() => {}))
router.beforeResolve((to) => loadTexts(to.meta.texts ?? []))

// A new version of the panel has other file names, so pages of this one may be gone. Without the
// service, this page is all there is.
router.onError(async (error, to) => {
  if (!isLoadFailure(error)) return
  const isThere = await fetch('/panel/theme.js', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false
  )
  if (isThere) location.assign(`/panel${to.fullPath}`)
  else isUnreachable.value = true
})
router.afterEach((_to, _from, failure) => {
  if (!failure) isUnreachable.value = false
})
