import { resultRules } from '../../../src/spec/iap/result.catalogue.ts'
import { validateResult } from '../../../src/spec/iap/validate-result.ts'
import { testCatalogue, testCorpus } from '../../spec/judging.ts'

testCatalogue(resultRules, validateResult)
testCorpus(import.meta.dirname, 'iap.result', resultRules, validateResult)
