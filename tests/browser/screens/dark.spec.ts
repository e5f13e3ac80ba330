import { checkAccessibility } from '#tests/browser/screens/check_accessibility'

checkAccessibility({ theme: 'dark', language: 'cs' })
