export { ALARMS, type AlarmName, type HealthBounds } from "./alarm.ts";
export { HealthMonitor } from "./health-monitor.ts";
export { HealthWatch } from "./health-watch.ts";
