import Application from '#app/applications/models/application'

/** The level of a user on an application in the panel, and its reason. */
export interface Administration {
  level: 'view' | 'edit'
  via: 'super_admin' | 'application_admin' | 'panel'
}

/** A user whose panel level is known. */
export interface Administrator {
  administrationOf(appCode: string): Administration | null
}

/** All applications that a user sees in the panel, sorted by code. */
export async function listAdministrableApplications(administrator: Administrator) {
  const applications = await Application.query().select('id', 'code').orderBy('code')
  return applications.flatMap(({ code }) => {
    const administration = administrator.administrationOf(code)
    return administration === null ? [] : { appCode: code, ...administration }
  })
}
