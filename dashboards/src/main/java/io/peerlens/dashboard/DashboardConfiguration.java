package io.peerlens.dashboard;

import io.peerlens.panel.PanelRequests;
import io.peerlens.panel.StoredViews;
import io.peerlens.security.ApiTokens;
import io.peerlens.security.SecurityProperties;
import io.peerlens.supermetric.SuperMetricFiles;
import io.peerlens.supermetric.SuperMetricUser;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Beans of stored dashboards and views: their definitions and the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DashboardProperties.class)
@Import({
  DashboardsController.class,
  ViewsController.class,
  DashboardFilesController.class,
  DashboardLinksController.class,
  DashboardPanelsController.class,
  PlaylistsController.class,
  DashboardExporter.class,
  DashboardPacks.class,
  KeyQueries.class,
  OriginalStore.class
})
public class DashboardConfiguration {

  private static final String NUMBER = "dashboardNumber";

  /** No candidate of its type: rules files, which lock the numbers of all rules, do not hold it. */
  @Bean(name = NUMBER, defaultCandidate = false)
  DashboardNumberStore dashboardNumber(JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new DashboardNumberStore(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  DashboardStore dashboardStore(
      JdbcClient jdbc,
      @Qualifier(NUMBER) DashboardNumberStore number,
      OriginalStore originals,
      InstantSource clock,
      DashboardProperties properties) {
    return new DashboardStore(jdbc, number, originals, clock, properties.history());
  }

  @Bean
  ViewStore viewStore(
      JdbcClient jdbc,
      @Qualifier(NUMBER) DashboardNumberStore number,
      OriginalStore originals,
      DashboardProperties properties) {
    return new ViewStore(jdbc, number, originals, properties.history());
  }

  @Bean
  DashboardService dashboardService(
      DashboardStore store,
      ViewStore views,
      @Qualifier(NUMBER) DashboardNumberStore number,
      InstantSource clock,
      DashboardProperties properties) {
    return new DashboardService(store, views, number, clock, properties);
  }

  @Bean
  ViewService viewService(
      ViewStore store,
      DashboardStore dashboards,
      @Qualifier(NUMBER) DashboardNumberStore number,
      InstantSource clock,
      DashboardProperties properties) {
    return new ViewService(store, dashboards, number, clock, properties);
  }

  @Bean
  SuperMetricUser dashboardsOfSuperMetrics(DashboardStore store, SuperMetricFiles superMetrics) {
    return SuperMetricReaders.dashboards(store, superMetrics);
  }

  @Bean
  SuperMetricUser viewsOfSuperMetrics(ViewStore store, SuperMetricFiles superMetrics) {
    return SuperMetricReaders.views(store, superMetrics);
  }

  @Bean
  PlaylistStore playlistStore(
      JdbcClient jdbc,
      @Qualifier(NUMBER) DashboardNumberStore number,
      DashboardProperties properties) {
    return new PlaylistStore(jdbc, number, properties.history());
  }

  @Bean
  PlaylistService playlistService(
      PlaylistStore store,
      DashboardStore dashboards,
      @Qualifier(NUMBER) DashboardNumberStore number,
      InstantSource clock,
      DashboardProperties properties) {
    return new PlaylistService(store, dashboards, number, clock, properties);
  }

  @Bean
  DashboardValues dashboardValues(PanelRequests panels, KeyQueries objects) {
    return new DashboardValues(panels, objects);
  }

  @Bean
  WallScreens wallScreens(PlaylistService playlists, DashboardValues values) {
    return new WallScreens(playlists, values);
  }

  @Bean
  LinkChoices linkChoices(DashboardValues values, ViewStore views, PanelRequests panels) {
    return new LinkChoices(values, views, panels);
  }

  @Bean
  LinkService linkService(
      DashboardService dashboards,
      JdbcClient jdbc,
      ApiTokens tokens,
      DashboardValues values,
      LinkChoices choices,
      SecurityProperties properties,
      PlatformTransactionManager transactions,
      InstantSource clock) {
    return new LinkService(
        dashboards,
        new LinkStore(jdbc),
        tokens,
        values,
        choices,
        properties,
        new TransactionTemplate(transactions),
        clock);
  }

  @Bean
  StoredPanels storedPanels(
      DashboardService dashboards,
      ViewStore views,
      LinkService links,
      DashboardValues values,
      PanelRequests panels) {
    return new StoredPanels(dashboards, views, links, values, panels);
  }

  @Bean
  StoredViews storedViews(ViewService views) {
    return reference -> views.shown(reference).map(OwnedView::view);
  }

  @Bean
  KeySources keySources() {
    return new ShippedKeySources();
  }

  @Bean
  DashboardImporter dashboardImporter(
      DashboardService dashboards,
      ViewService views,
      ViewStore viewStore,
      @Qualifier(NUMBER) DashboardNumberStore number,
      PlatformTransactionManager transactions,
      OriginalStore originals,
      SuperMetricFiles superMetrics,
      KeyQueries keys,
      KeySources sources,
      InstantSource clock) {
    return new DashboardImporter(
        dashboards,
        views,
        viewStore,
        number,
        new TransactionTemplate(transactions),
        originals,
        superMetrics,
        keys,
        sources,
        clock);
  }
}
