package io.peerlens.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.web.WebProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.util.DigestUtils;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.EncodedResourceResolver;
import org.springframework.web.servlet.resource.PathResourceResolver;

/**
 * Every address of a page, such as {@code /explorer/objects}, gives {@code index.html}, whose
 * script draws what the address names. Any other address is a file, which is there or is not.
 */
@Configuration(proxyBeanMethods = false)
final class PageAddresses implements WebMvcConfigurer {

  /** First parts of the addresses of pages, as {@code main.js} has them. */
  static final Set<String> PAGES =
      Set.of(
          "",
          "explorer",
          "objects",
          "compare",
          "why-slow",
          "dashboards",
          "reports",
          "alerts",
          "incidents",
          "outliers",
          "top-talkers",
          "wall",
          "walls",
          "link",
          "right-sizing",
          "benchmark-runs",
          "load-profiles",
          "super-metrics",
          "thresholds",
          "notifications",
          "sources",
          "ingest",
          "settings",
          "help",
          "ui-kit");

  private final String[] locations;

  PageAddresses(WebProperties properties) {
    locations = properties.getResources().getStaticLocations();
  }

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler("/fonts/**")
        .addResourceLocations("classpath:/com/formdev/flatlaf/fonts/")
        .setCacheControl(CacheControl.maxAge(Duration.ofDays(30)).cachePublic());
    registry
        .addResourceHandler("/bundles/**") // other content has another name
        .addResourceLocations("classpath:/static/bundles/")
        .setCacheControl(CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable())
        .setUseLastModified(false)
        .resourceChain(true)
        .addResolver(new EncodedResourceResolver())
        .addResolver(new PathResourceResolver());
    registry
        .addResourceHandler("/**")
        .addResourceLocations(locations)
        .setCacheControl(CacheControl.noCache()) // keep, but ask each time whether it changed
        .setUseLastModified(false) // all files of a reproducible jar have one date
        .setEtagGenerator(PageAddresses::contentTag)
        .resourceChain(false)
        .addResolver(new PageResolver());
  }

  /** A digest over the content; weak, because Tomcat does not compress what has a strong tag. */
  private static String contentTag(Resource file) {
    try {
      return "W/\"" + DigestUtils.md5DigestAsHex(file.getContentAsByteArray()) + "\"";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class PageResolver extends PathResourceResolver {
    @Override
    protected @Nullable Resource getResource(String path, Resource location) throws IOException {
      Resource file = super.getResource(path, location);
      if (file != null) {
        return file;
      }
      boolean page =
          PAGES.contains(path.replaceFirst("/.*", ""))
              && path.lastIndexOf('.') <= path.lastIndexOf('/');
      return page ? super.getResource("index.html", location) : null;
    }
  }
}
