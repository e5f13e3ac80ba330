import Application from '#app/applications/models/application'

/** What somebody may do with an application in the panel, and because of what. */
export interface Administration {
  level: 'view' | 'edit'
  via: 'super_admin' | 'application_admin' | 'panel'
}

/** Somebody whose panel level is known. */
export interface Administrator {
  administrationOf(appCode: string): Administration | null
}

/** All applications that somebody sees in the panel, sorted by code. */
export async function listAdministrableApplications(administrator: Administrator) {
  const applications = await Application.query().select('id', 'code').orderBy('code')
  return applications.flatMap(({ code }) => {
    const administration = administrator.administrationOf(code)
    return administration === null ? [] : { appCode: code, ...administration }
  })
}
