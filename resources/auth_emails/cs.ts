import type { AuthEmail, AuthEmailFrame } from '#resources/auth_emails/auth_email'

export const frame: AuthEmailFrame = {
  greeting: 'Dobrý den,',
  link: 'Pokud tlačítko nefunguje, zkopírujte si tento odkaz do prohlížeče:',
}

const NOT_YOU = 'Pokud jste o nic nežádali, můžete tento e-mail bez obav ignorovat.'
const KEEP_SECRET = 'Kód nikomu nesdělujte. Služba {{orgName}} se vás na něj nikdy nebude ptát.'

export const emails: Record<string, AuthEmail> = {
  account_activation: {
    subject: 'Aktivujte svůj účet',
    preview: 'Zbývá poslední krok: potvrďte svůj e-mail a nastavte si přihlášení.',
    title: 'Aktivace účtu',
    paragraphs: [
      've službě {{orgName}} byl pro adresu {{userEmail}} vytvořen účet. Aktivujte jej prosím tlačítkem níže a nastavte si způsob přihlášení.',
    ],
    action: 'Aktivovat účet',
    code: 'Pokud se při aktivaci zobrazí žádost o kód, zadejte tento:',
    closing: [NOT_YOU],
  },
  email_verification: {
    subject: 'Potvrďte svou e-mailovou adresu',
    preview: 'Ověřte prosím, že tato adresa patří vám.',
    title: 'Ověření e-mailové adresy',
    paragraphs: ['potvrďte prosím, že vám patří adresa {{userEmail}}.'],
    action: 'Potvrdit adresu',
    code: 'Nebo zadejte tento ověřovací kód:',
    closing: [NOT_YOU],
  },
  password_reset: {
    subject: 'Obnovení hesla',
    preview: 'Nastavte si nové heslo ke svému účtu.',
    title: 'Obnovení hesla',
    paragraphs: [
      'obdrželi jsme žádost o obnovení hesla k vašemu účtu ve službě {{orgName}}. Nové heslo si nastavíte po kliknutí na tlačítko.',
    ],
    action: 'Nastavit nové heslo',
    code: 'Pokud se zobrazí žádost o kód, zadejte tento:',
    closing: [
      'Pokud jste o obnovení hesla nežádali, tento e-mail ignorujte. Vaše heslo zůstává beze změny.',
      KEEP_SECRET,
    ],
  },
  user_invitation: {
    subject: 'Pozvánka do služby {{orgName}}',
    preview: 'Přijměte pozvání a nastavte si přihlášení.',
    title: 'Pozvánka',
    paragraphs: [
      'zveme vás do služby {{orgName}}. Pozvání přijmete tlačítkem níže, poté si nastavíte způsob přihlášení.',
    ],
    action: 'Přijmout pozvání',
    code: 'Pokud se zobrazí žádost o kód, zadejte tento:',
    closing: ['Pokud pozvání neočekáváte, můžete tento e-mail bez obav ignorovat.'],
  },
  passwordless_registration: {
    subject: 'Přidání přístupového klíče',
    preview: 'Přihlašujte se bez hesla: otiskem prstu, rozpoznáním obličeje nebo zámkem obrazovky.',
    title: 'Přihlašování bez hesla',
    paragraphs: [
      'ke svému účtu ve službě {{orgName}} si můžete přidat přístupový klíč (passkey). Přihlásíte se pak otiskem prstu, rozpoznáním obličeje nebo zámkem obrazovky.',
      'Odkaz otevřete na zařízení, na kterém chcete klíč používat.',
    ],
    action: 'Přidat přístupový klíč',
    closing: [
      'Pokud jste o přidání klíče nežádali, tento e-mail ignorujte a odkaz nikomu nepřeposílejte.',
    ],
  },
  otp_email: {
    subject: 'Váš přihlašovací kód',
    preview: 'Jednorázový kód pro dokončení přihlášení.',
    title: 'Přihlašovací kód',
    paragraphs: [],
    code: 'přihlášení ke službě {{orgName}} dokončíte tímto jednorázovým kódem. Platí jen několik minut.',
    closing: [
      KEEP_SECRET,
      'Pokud se právě nepřihlašujete, možná někdo zná vaše heslo. Co nejdříve si je prosím změňte.',
    ],
  },
  password_changed: {
    subject: 'Vaše heslo bylo změněno',
    preview: 'Pokud jste heslo neměnili vy, jednejte prosím ihned.',
    title: 'Heslo bylo změněno',
    paragraphs: [
      'heslo k účtu {{userEmail}} ve službě {{orgName}} bylo právě změněno. Pokud jste změnu provedli vy, nemusíte nic dělat.',
      '<strong>Pokud jste heslo neměnili,</strong> obnovte si je ihned na přihlašovací stránce volbou „Zapomenuté heslo“ a dejte nám prosím vědět.',
    ],
    closing: ['Tento e-mail posíláme pro vaši bezpečnost, nelze jej vypnout.'],
  },
  domain_claimed: {
    subject: 'Změna vašeho přihlašovacího jména',
    preview: 'Doménu vaší adresy nyní spravuje jiná organizace.',
    title: 'Nové přihlašovací jméno',
    paragraphs: [
      'doménu vaší e-mailové adresy začala spravovat jiná organizace, vaše dosavadní přihlašovací jméno proto už nelze používat. Přihlašujte se prosím dočasně tímto jménem:',
      '<strong>{{tempUsername}}</strong>',
      'Po přihlášení si můžete zvolit nové.',
    ],
    closing: ['Pokud změně nerozumíte, obraťte se prosím na správce služby {{orgName}}.'],
  },
}
