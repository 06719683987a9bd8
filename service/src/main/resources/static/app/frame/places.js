// The places of the navigation.
export const PLACES = [
  {
    group: "Watch",
    items: [
      { key: "O", path: "/", icon: "overview", name: "Overview" },
      { key: "D", path: "/dashboards", icon: "dashboards", name: "Dashboards" },
      { key: "U", path: "/outliers", icon: "outliers", name: "Outliers" },
      { key: "A", path: "/alerts", icon: "alerts", name: "Alerts" },
      { key: "T", path: "/top-talkers", icon: "talkers", name: "Top talkers" },
    ],
  },
  {
    group: "Investigate",
    items: [
      { key: "E", path: "/explorer", icon: "explorer", name: "Explorer" },
      { key: "V", path: "/compare", icon: "compare", name: "Compare" },
      { key: "W", path: "/why-slow", icon: "slow", name: "Why slow" },
    ],
  },
  {
    group: "Capacity",
    items: [
      { key: "R", path: "/right-sizing", icon: "rightSizing", name: "Right-sizing" },
      { key: "B", path: "/benchmark-runs", icon: "runs", name: "Benchmark runs" },
      { key: "L", path: "/load-profiles", icon: "profile", name: "Load profile" },
    ],
  },
  {
    group: "Define",
    items: [
      { key: "S", path: "/super-metrics", icon: "metrics", name: "Super metrics" },
      { key: "H", path: "/thresholds", icon: "thresholds", name: "Thresholds" },
      { key: "N", path: "/notifications", icon: "notifications", name: "Notifications" },
    ],
  },
  {
    group: "Run",
    items: [
      { key: "C", path: "/sources", icon: "sources", name: "Sources" },
      { key: "I", path: "/ingest", icon: "ingest", name: "Ingest" },
      { key: "", path: "/settings", icon: "settings", name: "Settings" },
    ],
  },
];

export const allPlaces = () => PLACES.flatMap((g) => g.items);
