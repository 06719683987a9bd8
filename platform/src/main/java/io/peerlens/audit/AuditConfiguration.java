package io.peerlens.audit;

import io.peerlens.api.model.CreatedToken;
import io.peerlens.web.OperationMapping;
import java.time.InstantSource;
import java.util.Map;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Audit of the API: its requests are recorded, and the log is read. */
@Configuration(proxyBeanMethods = false)
@Import({
  AuditStoreConfiguration.class,
  AuditController.class,
  AuditTrail.class,
  AuditedOperations.class,
  AuditCsv.class,
  AuditedWork.class
})
public class AuditConfiguration {

  /** Around the security filters, inside the one that reads forwarded headers. */
  private static final int ORDER = SecurityFilterProperties.DEFAULT_FILTER_ORDER - 10;

  @Bean
  Failures auditFailures(AuditStore store, InstantSource clock) {
    return new Failures(store, clock).start();
  }

  @Bean
  FilterRegistrationBean<AuditFilter> auditFilter(AuditTrail trail, AuditedOperations operations) {
    FilterRegistrationBean<AuditFilter> bean =
        new FilterRegistrationBean<>(new AuditFilter(trail, operations));
    bean.addUrlPatterns("/api/*", "/relay/*", "/suite-api/*");
    bean.setOrder(ORDER);
    return bean;
  }

  @Bean
  WebMvcRegistrations auditedHandlers(AuditTrail trail, AuditedOperations operations) {
    return new WebMvcRegistrations() {
      @Override
      public RequestMappingHandlerAdapter getRequestMappingHandlerAdapter() {
        return new AuditedHandlers(trail, operations);
      }

      // Spring takes one of these, and none at all where there are two.
      @Override
      public RequestMappingHandlerMapping getRequestMappingHandlerMapping() {
        return new OperationMapping();
      }
    };
  }

  @Bean
  FirstToken firstTokenAudit(AuditTrail trail) {
    return new FirstToken(trail);
  }

  /** The first admin token, which the program makes by itself. */
  record FirstToken(AuditTrail trail)
      implements ApplicationListener<PayloadApplicationEvent<CreatedToken>> {
    @Override
    public void onApplicationEvent(PayloadApplicationEvent<CreatedToken> event) {
      CreatedToken created = event.getPayload();
      trail.console(
          "createToken",
          "tokens",
          created.getToken().getId(),
          created.getToken().getName(),
          Map.of("role", created.getToken().getRole().getValue()));
    }
  }
}
