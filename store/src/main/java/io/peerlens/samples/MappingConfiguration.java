package io.peerlens.samples;

import io.peerlens.ingest.mapping.Mappings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans that the ingest of samples and its API share. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IngestProperties.class)
@Import({GuardSettings.class})
class MappingConfiguration {

  private static final Logger log = LoggerFactory.getLogger(MappingConfiguration.class);

  /**
   * Mapping files, and what is wrong with one of them.
   *
   * @param mistake in words with file, line and column; empty = none. Then the mappings are the
   *     shipped ones, and nothing must be stored by them: objects would get other ids for good
   */
  record MappingFiles(Mappings mappings, String mistake) {}

  @Bean
  MappingFiles mappingFiles(IngestProperties properties) {
    try {
      return new MappingFiles(Mappings.load(properties.mappings()), "");
    } catch (Mappings.MappingException e) {
      String mistake = String.valueOf(e.getMessage());
      log.error(
          "Ingest waits until a mapping file in {} is corrected: {}",
          properties.mappings(),
          mistake);
      return new MappingFiles(Mappings.shipped(), mistake);
    }
  }

  @Bean
  Mappings mappings(MappingFiles files) {
    return files.mappings();
  }
}
