export { ALARMS, type AlarmName, type HealthBounds, HealthMonitor } from "./health-monitor.ts";
export { HealthWatch } from "./health-watch.ts";
