package io.peerlens;

import io.peerlens.node.NodeProperties;
import java.time.InstantSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The one runnable jar. What a process does is chosen by {@code peerlens.roles}; each role imports
 * the features it needs, so this list and the role classes are the table of contents.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(NodeProperties.class)
@Import({
  io.peerlens.database.DatabaseConfiguration.class,
  io.peerlens.store.StoreConfiguration.class,
  io.peerlens.frame.FrameConfiguration.class,
  io.peerlens.supermetric.SuperMetricConfiguration.class,
  io.peerlens.threshold.ThresholdConfiguration.class,
  io.peerlens.job.JobConfiguration.class,
  io.peerlens.web.WebConfiguration.class,
  io.peerlens.security.SecurityConfiguration.class,
  io.peerlens.load.LoadConfiguration.class,
  io.peerlens.role.CollectorRole.class,
  io.peerlens.role.IngestRole.class,
  io.peerlens.role.EvaluatorRole.class,
  io.peerlens.role.NotifierRole.class,
  io.peerlens.role.ApiRole.class
})
public class Application {

  /** The clock of everything that has no other notion of now. */
  @Bean
  InstantSource clock() {
    return InstantSource.system();
  }

  /**
   * Gives virtual threads more carriers than there are cores, unless the command line says how
   * many. A virtual thread that computes keeps its carrier: with one for each core a few heavy
   * requests would keep all others waiting, with more the operating system shares the cores out.
   * Works only before the first virtual thread.
   */
  public static void shareProcessor() {
    String key = "jdk.virtualThreadScheduler.parallelism";
    if (System.getProperty(key) == null) {
      System.setProperty(
          key, String.valueOf(Math.max(16, 4 * Runtime.getRuntime().availableProcessors())));
    }
  }

  /** Starts the service; every setting is a Spring property, see docs/configuration.md. */
  public static void main(String[] args) {
    shareProcessor();
    SpringApplication.run(Application.class, args);
  }
}
