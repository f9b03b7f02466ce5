import { Service, start } from './service';

function build(service: Service) {
  service.read();
  start();
}
