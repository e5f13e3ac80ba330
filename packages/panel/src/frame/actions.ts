import { computed } from 'vue'
import { paths } from '@/frame/paths'
import type { Hit } from '@/frame/search'
import { LANGUAGES, type Language, setLanguage } from '@/i18n'
import { useSignOut } from '@/queries/sessions'
import { useApplicationInUrl } from '@/session/application'
import { useSession } from '@/session/session'
import { THEMES, theme } from '@/theme'

export type Translate = (key: string, named?: Record<string, unknown>) => string

/** What the palette can do. Settings are found only by typing, because they are rarely needed. */
export function useActions(t: Translate) {
  const session = useSession()
  const current = useApplicationInUrl()
  const leave = useSignOut()

  const creations = computed((): Hit[] => {
    const app = current.value
    const isEditor = app !== null && session.canEdit(app)
    return [
      ...(session.isGlobalAdmin.value
        ? [{ label: t('frame.newApplication'), to: '/apps?new=1' }]
        : []),
      ...(isEditor
        ? [
            { label: t('frame.newRole', { app }), to: `${paths.roles(app)}?new=1` },
            { label: t('frame.newPermission', { app }), to: `${paths.permissions(app)}?new=1` },
            { label: t('frame.newBroadcast', { app }), to: paths.newBroadcast(app) },
            { label: t('frame.assignIn', { app }), to: `${paths.people(app)}?assign=1` },
          ]
        : []),
      ...(app === null ? [] : [{ label: t('frame.askWhy', { app }), to: paths.why(app) }]),
    ]
  })
  const settings = computed((): Hit[] => [
    ...THEMES.map((one) => ({
      label: `${t('user.theme')}: ${t(`user.${one}`)}`,
      run: () => void (theme.value = one),
    })),
    ...Object.entries(LANGUAGES).map(([code, name]) => ({
      label: `${t('user.language')}: ${name}`,
      run: () => void setLanguage(code as Language),
    })),
    { label: t('user.signOut'), run: () => leave.mutate(null) },
  ])
  return { creations, settings }
}
