import { artifactEnvelopeRules } from '../../../src/spec/aah/aah.catalogue.ts'
import { validateArtifactEnvelope } from '../../../src/spec/aah/validate-artifact-envelope.ts'
import { testCatalogue, testCorpus } from '../../spec/judging.ts'

testCatalogue(artifactEnvelopeRules, validateArtifactEnvelope)
testCorpus(import.meta.dirname, 'aah', artifactEnvelopeRules, validateArtifactEnvelope)
