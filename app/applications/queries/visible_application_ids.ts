import Application from '#app/applications/models/application'

interface PanelLevels {
  holds(level: 'view', appCode: string): boolean
}

/** The ids of those on which the caller has a level (applications.md#visible-applications). */
export async function visibleApplicationIds(access: PanelLevels): Promise<number[]> {
  const applications = await Application.query().select('id', 'code')
  return applications.filter(({ code }) => access.holds('view', code)).map(({ id }) => id)
}
